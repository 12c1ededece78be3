# 按编号输出名单

names = ["小明", "小红", "小刚", "小丽"]

print("本组名单：")
i = 1
while i <= len(names):
    print(i, names[i])
    i = i + 1
print("共", len(names), "人")
