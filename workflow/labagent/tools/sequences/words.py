"""Whether letters read like English words or like a protein: ``IMMUNOGLOBULINS`` is no sequence.

Every letter but for O is an amino acid's, so that an alphabet alone takes English for a protein. Here each
pair of
letters has a score, 1.5 log2 of how much more likely it is in English than in proteins; the mean decides.

``PAIRS``: row = first letter, column = second; ``j`` is 0, each letter further 1 more. Counted from 10,291
English words of
software documentation and the 75 proteins of the bundled facts. Of their words of 12 letters and more 99.8 %
are told, of
12 residues of a protein 0.8 % are taken for words, of 20 residues 0.05 %, of 30 none of 8,000.
"""

from __future__ import annotations

PAIRS = """
    bsljdghfjlgjklmjblilrgiohn kqjgkfgelqckifsgbjjgsdgoin kmjfkeemjmjhhesfcjfksdfkgl
    jqihmfggmpdgigsfejifsehnhk ipllhigfgmdiklphfmkjogisgl jnhfkleemlcigfseekhjsbfnii
    joiemgilknbijksgclihsdflgq mnffmefelmffigsebjgjsaijij hsliiiibcmeiknshcijknhcpar
    lrkjkhfdjqgeihskhgigsbkmdo kmfhmhhjlmfgjjshehkiscjmhn kohilgddmkfjgesfadhisefmll
    msggmcedlhefkeslaehdsbfmhk jolkkilfjngeghsfceklrggkgn frkjehhegngilmsjaliishlpfl
    klgflefkjhfjfesjbmhjsbhlih fnhggdfhfndhhhngdhfdscgnen kpjimggelkffkhsgbiijrfhkjk
    inlelfdlllfghfsjffjmseikil knjfmgclmldghesfaliisbinjm iskiihhdjmejlmqjaljlmceodo
    lmifneddmmbcgfsfaegfpdfmfm lpjglfflmkdhgksgdkifoadofk iomikgajlldfkgrmbgilpderjl
    irkgjhhgjnehlksmbikjqejngq lphengfjloehigsfcggfrehmis
""".split()
ZERO = ord("j")
SCORES = {
    chr(97 + first) + chr(97 + second): ord(letter) - ZERO
    for first, row in enumerate(PAIRS)
    for second, letter in enumerate(row)
}
LOOKED_AT = 200
"""Letters at most that are looked at: longer runs are no words."""


def reads_like_words(letters: str) -> bool:
    """Whether letters (any case, no spaces) are more likely English than a protein."""
    small = "".join(c for c in letters[:LOOKED_AT].lower() if "a" <= c <= "z")
    pairs = [small[k : k + 2] for k in range(len(small) - 1)]
    return bool(pairs) and sum(map(SCORES.__getitem__, pairs)) > 0
