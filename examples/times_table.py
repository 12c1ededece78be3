# Print the times table up to n.

n = int(input())
for i in range(1, n + 1):
        line = ""
        for j in range(1, n + 1):
                line = line + str(i * j) + " "
	print(line)
