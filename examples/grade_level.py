# 输入一个成绩，输出等级：
# 90 分以上为优秀，60 分以上为及格，其余为不及格

def 等级(分数):
    if 分数 >= 90:
        return "优秀"
    elif 分数 >= 60:
        return "及格"
    else:
        return "不及格"


成绩 = int(input())
print(等级(成绩))
