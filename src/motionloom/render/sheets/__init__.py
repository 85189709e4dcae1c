"""Sheets: contact sheets, common poses of hubs, timelines."""
