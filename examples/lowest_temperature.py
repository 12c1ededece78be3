# 一周七天的气温，找出最低的一天

def find_lowest(temperatures):
    lowest = 0
    for t in temperatures:
        if t < lowest:
            lowest = t
    return lowest


week = [18, 21, 16, 19, 23, 20, 17]
print("最低气温：", find_lowest(week))
