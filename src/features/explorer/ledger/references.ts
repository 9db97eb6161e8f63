/** Owns the references by which payments are found: UETR and end-to-end id, without regard to case. */
import type { MessageDetails } from '../../iso20022/schema/instructions.js'

/** A reference as the index has it. */
export const referenceKey = (text: string): string => text.toLowerCase()

/** References of a payment as the index has them. */
export const referencesOf = ({ uetr, endToEndId }: Pick<MessageDetails, 'uetr' | 'endToEndId'>): string[] =>
  [uetr, endToEndId].flatMap((text) => (text === undefined ? [] : [referenceKey(text)]))
