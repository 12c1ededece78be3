# 求全班的平均分

scores = [90, 84, 77, 95]
total = 0
count = 0

for score in scores:
    total = total + score

average = total / count
print("平均分：", average)
