def area(width, height):
    return width * height


def perimeter(width, height):
    return 2 * (width + height)


w = 6
h = 4
print("Perimeter:", perimeter(w, h))
print("Area:", area(w))
