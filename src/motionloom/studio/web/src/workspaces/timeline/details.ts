import type * as T from "../../api/types";

/** What is particular to the report of a timeline. */
export const detailsOf = (answer: T.Answer): T.TimelineDetails => answer.details as unknown as T.TimelineDetails;
