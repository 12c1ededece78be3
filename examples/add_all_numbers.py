# Each line has one number. Add up all of them.

total = 0
count = 0
while True:
    number = int(input())
    total = total + number
    count = count + 1

print(count, "numbers")
print("The total is", total)
