"""Takes made from takes, foot-skate clean-up, repair of spikes, and badges."""
