/** Owns the words for the reason of a cancelled change of the consensus mode, as `doctor` and other commands print it. */

/** By the names of the reasons in JSON, whose first letter is a capital in some answers. */
const WORDS: Readonly<Record<string, string>> = {
  toofewcandidates: 'too few candidates were in sync',
  toofewseats: 'the election filled too few seats',
  late: 'its election did not end in time',
  novalidator: 'no validator is registered any more',
  quorumnotseen: 'fewer than a quorum of the registered validators signed lately',
}

/** A reason in words; one that this release does not know stays as it is. */
export const cancelReasonText = (reason: string): string => WORDS[reason.toLowerCase()] ?? reason
