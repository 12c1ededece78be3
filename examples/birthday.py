# Ask for a name and an age, and say how old the person will be next year.

name = input("What is your name? ")
age = int(input("How old are you? "))

print("Hello, " + name + "!")
print("Next year you will be " + (age + 1))
