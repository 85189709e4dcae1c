"""The studio: a web application to look at motion, label it and paint timelines."""
