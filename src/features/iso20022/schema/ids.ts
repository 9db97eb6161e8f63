/** Owns the ids of the bridge: feature 1, 300 to 399. Append only. */
import { range } from '../../../model/index.js'

const BASE = range(1).first
export const ISO_INSTRUCTIONS = {
  bindIban: BASE,
  unbindIban: BASE + 1,
  bindCurrency: BASE + 2,
  unbindCurrency: BASE + 3,
  setSubmitter: BASE + 4,
  claimMessage: BASE + 5,
} as const
export const ISO_TABLES = {
  ibans: BASE,
  currencies: BASE + 1,
  submitters: BASE + 2,
  claims: BASE + 3,
  usage: BASE + 4,
  submitterTimes: BASE + 5,
  currencyTimes: BASE + 6,
} as const
export const ISO_EVENTS = {
  ibanBound: BASE,
  ibanUnbound: BASE + 1,
  currencyBound: BASE + 2,
  currencyUnbound: BASE + 3,
  submitterSet: BASE + 4,
  messageClaimed: BASE + 5,
} as const
export const ISO_QUERIES = { isoResolve: BASE, isoMessages: BASE + 1 } as const
export const ISO_INDEXES = { messages: BASE } as const
