/** Owns the fields of a flat body as seen by the rules between elements: only fields that the flat forms have. */
import type { LocatedValue } from './draft.js'
import { type FieldName, INSTRUCTION_PLACE, type PaymentFamily } from './families.js'
import type { RuleField, RuleFields } from './rules.js'

export class DraftFields implements RuleFields {
  constructor(
    private readonly family: PaymentFamily,
    private readonly fields: ReadonlyMap<FieldName, LocatedValue>,
    private readonly instructions: readonly LocatedValue[],
  ) {}

  get(place: string): RuleField | undefined {
    return this.all(place)[0]
  }

  /** Fields of the rows whose first place is the given place or below it. */
  all(place: string): readonly RuleField[] {
    if (place === INSTRUCTION_PLACE) return this.instructions.map(asRuleField)
    return this.family.fields.flatMap(({ name, places: [first = ''] }) => {
      const found = first === place || first.startsWith(`${place}/`) ? this.fields.get(name) : undefined
      return found === undefined ? [] : [asRuleField(found)]
    })
  }

  /** Empty: no flat form has an element with child elements. */
  each(): readonly RuleFields[] {
    return []
  }
}

const asRuleField = ({ value, where }: LocatedValue): RuleField => ({ value, ...where(), currency: '' })
