# The sum of the digits of a number, with recursion.

def sum_of_digits(n):
    last = n % 10
    rest = n // 10
    return last + sum_of_digits(rest)


print(sum_of_digits(4271))
