# 打印一个由星号组成的三角形

行数 = int(input())
for i in range(1, 行数 + 1):
    for j in range(i):
        print("*", end="")
      print()
print("完成")
