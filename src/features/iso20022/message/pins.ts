/** Owns the pins: fields of supplementary data that fix ledger, accounts and asset of a payment. */
import { definedFields } from '../../../base/defined-fields.js'
import { isOneOf } from '../../../base/guards.js'
import type { FaultInput, FaultSink, Place } from './fault.js'
import { MAX_PIN_CHARS } from './limits.js'
import type { Pins } from './payment.js'
import { collapse } from './values/blanks.js'

/** Names of the pinned fields, in XML and after `SplmtryData/` in flat form. */
export const PIN_NAMES = [
  'LedgerId',
  'SourceAccountId',
  'SourceAccountAddress',
  'TargetAccountId',
  'TargetAccountAddress',
  'AssetDefinitionId',
] as const

/** Name of a pin. */
export type PinName = (typeof PIN_NAMES)[number]

/** True for the name of a pin. */
export function isPinName(name: string): name is PinName {
  return isOneOf(PIN_NAMES, name)
}

/** A pin as written. */
export interface LocatedPin {
  readonly name: PinName
  readonly raw: string
  readonly path: string
  readonly at: Place
}

/** Fault of a duplicate pin. */
export const repeatedPin = ({ name, raw, path, at }: LocatedPin): FaultInput => ({
  code: 'pin_repeated',
  path,
  at,
  value: collapse(raw),
  expected: `${name} once`,
  reasonCode: 'NARR',
})

/**
 * Collector of pins; a duplicate name or an unusable value is a fault, because a pin determines the debited account.
 */
export class PinCollector {
  private readonly values = new Map<PinName, string>()

  constructor(private readonly faults: FaultSink) {}

  add(pin: LocatedPin): void {
    const { name, raw, path, at } = pin
    const value = collapse(raw)
    if (this.values.has(name)) this.faults.add(repeatedPin(pin))
    else if (value === '' || value.length > MAX_PIN_CHARS || !/^[\x21-\x7e\u00a1-\uffff]+$/.test(value)) {
      this.faults.add({
        code: 'pin_value',
        path,
        at,
        value,
        expected: `1 to ${MAX_PIN_CHARS} characters without blanks`,
        reasonCode: 'NARR',
      })
    } else this.values.set(name, value)
  }

  /** Pins of the payment. */
  result(): Pins {
    const get = (name: PinName) => this.values.get(name)
    const sourceId = get('SourceAccountId')
    const sourceAddress = get('SourceAccountAddress')
    const targetId = get('TargetAccountId')
    const targetAddress = get('TargetAccountAddress')
    return definedFields({
      ledgerId: get('LedgerId'),
      sourceAccount: sourceId ?? sourceAddress,
      sourceAddress: sourceId === undefined ? undefined : sourceAddress,
      targetAccount: targetId ?? targetAddress,
      targetAddress: targetId === undefined ? undefined : targetAddress,
      assetDefinition: get('AssetDefinitionId'),
    })
  }
}
