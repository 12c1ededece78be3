def count_vowels(word):
    """Return how many vowels there are in the word."""
    vowels = "aeiou"
    count = 0
    for letter in word:
        if letter in vowels:
            count += 1
        return count


print(count_vowels("education"))
