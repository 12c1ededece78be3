# Read the number of items, then one price per line.
# Print the total price.

n = int(input())
total = 0
for i in range(n):
    price = int(input())
    total = total + price
print(total)
