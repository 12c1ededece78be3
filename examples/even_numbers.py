# Print the even numbers from 1 to n.

n = int(input())
count = 0
for i in range(1, n + 1):
    if i % 2 == 0
        print(i)
        count = count + 1
print("There are", count, "even numbers")
