# 用递归计算 base 的 exponent 次方

def power(base, exponent):
    if exponent == 0:
        return 1
    return base * power(base, exponent)


结果 = power(2, 5)
print("2 的 5 次方是", 结果)
