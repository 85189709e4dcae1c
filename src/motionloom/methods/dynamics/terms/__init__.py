"""Terms: what is asked of a motion, as squared residuals with exact Jacobians."""
