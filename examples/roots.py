import maths

# Print the square roots of the numbers from 1 to n.
n = 5

for i in range(1, n + 1):
    root = maths.sqrt(i)
    print(i, round(root, 2))
