"""Explore: from a lab's staged artifacts and API snapshot to a draft skill.

``drafting.explore`` is the entry. The offline drafter (``usage``, ``offline``) assembles released usage
examples; the explore agent (``agent``) researches with a model, writes the same files and is held to the
same contract.
Nothing of a lab is imported or executed here.
"""
