"""InfiniBand fabrics as ibnetdiscover and iblinkinfo print them."""
