"""How the models that ship are made and measured."""
