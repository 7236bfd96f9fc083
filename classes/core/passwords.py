"""What a child can type: passwords of two short words and two digits, and the short codes of one lesson."""

from collections.abc import Callable, Sequence

WORDS = tuple(
    """
    able acorn amber anchor apple april apron arch arrow aunt baby badge bagel baker bamboo banana band barn basket
    beach bean bear beaver bell berry bike bird blue boat bonus book boot bottle bowl box branch bread breeze brick
    bridge bright brook brush bubble bucket bunny butter button cabin cactus cake camel camera camp candle candy
    canoe captain card carpet carrot castle cave cedar cello cheese cherry chess circle circus city clap clay clever
    cliff clock cloud clover coat cocoa coin comet cookie coral corn cotton cousin cow crab crayon cricket crown
    cube cup daisy dance dawn deer desert desk diamond dinner dolphin donkey door dragon drum duck eagle early earth
    easel echo eleven elf engine envelope every fabric falcon family farm feather fern field fig finger fish flag
    flame flute foam forest fork fox friend frog fruit funny garden gate gentle giant ginger giraffe glad glove goat
    golden goose grape grass green guitar hammer hamster happy harbor harp hat hazel helmet hero hill hippo honey
    hook horse house igloo ink island ivy jacket jaguar jam jelly jewel jolly juice jump jungle kettle key kind king
    kite kitten kiwi koala ladder lake lamb lamp lantern laptop lemon lentil letter lime lion lizard lotus lucky
    lunch magic magnet mango maple marble market meadow melon mint mirror mitten monkey moon morning moss motor
    mountain mouse muffin music napkin nest nickel night noble noodle north nut oak oasis ocean olive onion orange
    orbit otter owl paint palm panda paper parrot party pasta peach pear pearl pebble pencil penguin pepper piano
    picnic pilot pine pink pixel pizza planet plum pocket pond pony poppy potato prince puddle pumpkin puppy purple
    puzzle queen quick quiet quilt rabbit radio rain raven ribbon rice ring river road robin robot rocket rook rose
    royal ruby sail salad salmon sand sandal saturn scarf school seal seed seven shadow sheep shell ship shoe silver
    simple singer sister skate sky sled smart smile snail snow soap sock soft sofa song soup south space spark
    spider spoon spring square squid stamp star stone story straw stream summer sun sunny swan sweet swing table
    taco tea teddy tent tiger toast tomato topaz torch tower toy train tree trout truck trumpet tulip tunnel turtle
    twelve twig uncle unicorn valley vanilla velvet village violet violin wagon walnut walrus warm water wave west
    whale wheat wheel whistle willow wind window winter wizard wolf wonder wood wool yellow yogurt young zebra zero
    zigzag
    """.split()
)


def easy_password(choose: Callable[[Sequence[str]], str]) -> str:
    """Two words and two digits, such as `olive-robot-42`: about 23 bits.

    `choose` picks one of a sequence; outside tests `secrets.choice`.
    """
    digits = [str(digit) for digit in range(2, 10)]  # no 0 and 1, which look like O and l
    return f"{choose(WORDS)}-{choose(WORDS)}-{choose(digits)}{choose(digits)}"


# No I, L, O, 0, 1 and no S, Z, B, U, G beside 5, 2, 8, V, 6, which look alike; no vowels, so that no code is a word.
CODE_SYMBOLS = "CDFHJKMNPQRTVWXY34679"
CODE_LENGTH = 6


def lesson_code(choose: Callable[[Sequence[str]], str]) -> str:
    """Six symbols, such as `KF7M3C`: about 26 bits, for ten minutes and with few tries.

    Of 40 such codes at once, 60 wrong tries find one with a probability of 1 in 36,000.
    """
    return "".join(choose(CODE_SYMBOLS) for _ in range(CODE_LENGTH))


HELPER_CODE_LENGTH = 10


def helper_code(choose: Callable[[Sequence[str]], str]) -> str:
    """Ten symbols, such as `KF7M3CXQ4P`: about 44 bits, for a day. So many tries do not fit into one."""
    return "".join(choose(CODE_SYMBOLS) for _ in range(HELPER_CODE_LENGTH))


def as_read(code: str) -> str:
    """A code in two halves, such as `KF7 M3C`, for reading it off a screen."""
    half = CODE_LENGTH // 2
    return f"{code[:half]} {code[half:]}"


def as_typed(text: str) -> str:
    """What a child typed as the code it stands for: in capitals, without spaces and dashes."""
    return "".join(letter for letter in text.upper() if letter.isalnum())
