/** Held payments by their message: which belong together, and what they come to. */
import { expect, it } from 'vitest'
import { type HeldPayment, messagesOf, moneyText } from '../../../src/web/held-messages.js'

const held = (message: string, place: number | undefined, more: Partial<HeldPayment> = {}): HeldPayment =>
  ({ submitter: 'bridge', family: 'Pacs008', message_id: message, place, ...more }) as HeldPayment

it('held payments are grouped by submitter and message, and sorted by position within a message', () => {
  const other = held('B', 1, { submitter: 'another' })
  const messages = messagesOf([held('B', 3), held('A', undefined), held('B', 1), other])
  expect(messages.map((own) => own.map((one) => `${one.submitter} ${one.message_id} ${one.place}`))).toEqual([
    ['bridge B 1', 'bridge B 3'],
    ['bridge A undefined'],
    ['another B 1'],
  ])
})

it('held payments are summed by currency, with the number of digits of each currency', () => {
  const euros = held('A', 1, { amount: '1500', currency: 'EUR' })
  expect(moneyText([euros, held('A', 2, { amount: '0.5', currency: 'EUR' })])).toBe('1,500.50 EUR')
  expect(moneyText([euros, held('A', 2, { amount: '7', currency: 'JPY' })])).toBe('1,500.00 EUR and 7 JPY')
  expect(moneyText([euros, held('A', 2, { amount: null, currency: 'EUR' })])).toBe('an unknown amount')
})
