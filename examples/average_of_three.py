# Read three numbers, one per line, and print their average.

a = int(input())
b = int(input())
c = int(input())

average = a + b + c / 3
print(average)
