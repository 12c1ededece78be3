# 输入直角三角形的两条直角边，求斜边的长度

def hypotenuse(a, b):
    return math.sqrt(a ** 2 + b ** 2)


边1 = float(input())
边2 = float(input())
斜边 = hypotenuse(边1, 边2)
print("斜边的长度是", 斜边)
