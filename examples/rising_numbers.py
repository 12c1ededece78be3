# Is the list sorted from small to large?

numbers = [2, 5, 7, 11, 16]
is_sorted = True

for i in range(len(numbers)):
    if numbers[i] > numbers[i + 1]:
        is_sorted = False

if is_sorted:
    print("sorted")
else:
    print("not sorted")
