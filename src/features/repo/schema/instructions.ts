/** Owns the instructions of repos. */
import { hash32, list, numeric, option, struct } from '../../../codec/index.js'
import { assetDefinitionId, calendarDate, defineInstructions, type InstructionOf, name } from '../../../model/index.js'
import { calendarFields, HOLIDAYS_MAX, REPO_IDS, repoItems, repoReference, repoTerms, sideFields } from './records.js'

const BASE = REPO_IDS.first
const place = { id: hash32 }
/** Margin to give or to return. */
const margin = {
  ...place,
  items: repoItems,
  /** Absent: no cash. */
  cash: option(numeric),
}

export const instructions = defineInstructions({
  setBusinessCalendar: {
    id: BASE,
    label: 'repo::set_calendar',
    record: { calendar: name, ...calendarFields, holidays: list(calendarDate, HOLIDAYS_MAX) },
  },
  postRepoPrice: {
    id: BASE + 1,
    label: 'repo::post_price',
    record: {
      definition: assetDefinitionId,
      cash: assetDefinitionId,
      /** Price of one unit of the definition, in cash. */
      price: numeric,
    },
  },
  proposeRepo: {
    id: BASE + 2,
    label: 'repo::propose',
    record: { reference: repoReference, sides: struct('RepoSides', sideFields), terms: repoTerms },
  },
  withdrawRepo: { id: BASE + 3, label: 'repo::withdraw', record: place },
  consentRepo: { id: BASE + 4, label: 'repo::consent', record: { ...place, termsHash: hash32 } },
  callMargin: { id: BASE + 5, label: 'repo::call_margin', record: place },
  meetMargin: { id: BASE + 6, label: 'repo::meet_margin', record: margin },
  takeExcess: { id: BASE + 7, label: 'repo::take_excess', record: margin },
  repurchaseRepo: { id: BASE + 8, label: 'repo::repurchase', record: place },
  defaultRepo: { id: BASE + 9, label: 'repo::default', record: place },
  closeOutRepo: { id: BASE + 10, label: 'repo::close_out', record: place },
})

export interface SetBusinessCalendar extends InstructionOf<typeof instructions.setBusinessCalendar> {}
export interface PostRepoPrice extends InstructionOf<typeof instructions.postRepoPrice> {}
export interface ProposeRepo extends InstructionOf<typeof instructions.proposeRepo> {}
export interface ConsentRepo extends InstructionOf<typeof instructions.consentRepo> {}
export interface MeetMargin extends InstructionOf<typeof instructions.meetMargin> {}
/** Instruction on an agreement. */
export interface OfRepo extends InstructionOf<typeof instructions.callMargin> {}
