# 判断是不是闰年

def is_leap(year):
    if year % 400 == 0:
        return True
    if year % 100 == 0:
	return False
    return year % 4 == 0


print(is_leap(2000))
print(is_leap(2023))
