# 计算圆的面积和周长

pi = 3.14159
r = float(input("请输入半径："))
area = pi * r ** 2
length = 2 * pi * r
print("面积是", area)
print（“周长是”，length）
