/** Owns the comparison of an element tree with a structure table; it reports every difference. */
import type { FaultInput, FaultSink } from '../fault.js'
import type { ReasonCode } from '../reasons.js'
import type { ValueProblem } from '../values/problem.js'
import { attributeOf, isBlankText, isNil, type XmlElement, XSI_NAMESPACE } from '../xml/element.js'
import type { SourceText } from '../xml/source.js'
import type { Content, Group, Member } from './schema.js'

/** Maximum names listed in an `expected`. */
const MAX_NAMES = 8

/** Inputs of a check, apart from the tree. */
export interface StructureCheck {
  readonly source: SourceText
  readonly faults: FaultSink
  /** Namespace of every element that is not inside supplementary data. */
  readonly namespace: string
  /** Reason code of an element by its path without numbers; otherwise the reason code of the value type. */
  readonly reasonOf: (plainPath: string) => ReasonCode | undefined
}

/** Check an element with its content. `path`: path of the element as shown in faults. */
export function checkStructure(element: XmlElement, content: Content, path: string, check: StructureCheck): void {
  new Walk(check, path).visit(element, content)
}

class Walk {
  private readonly trail: string[]

  constructor(
    private readonly check: StructureCheck,
    path: string,
  ) {
    this.trail = path.split('/').slice(1)
  }

  visit(element: XmlElement, content: Content): void {
    this.attributes(element, content)
    switch (content.kind) {
      case 'open':
        return
      case 'any':
        this.envelope(element)
        return
      case 'leaf':
        this.leaf(element, content)
        return
      case 'choice':
        this.plainText(element)
        this.choice(element, content)
        return
      case 'sequence':
        this.plainText(element)
        this.sequence(element, content)
    }
  }

  private sequence(element: XmlElement, content: Group<'sequence'>): void {
    const counts = new Array<number>(content.members.length).fill(0)
    let reached = 0
    for (const child of element.children) {
      const at = this.find(child, content)
      if (at === undefined) {
        this.unknown(child, content, reached)
        continue
      }
      const member = content.members[at] as Member
      const count = (counts[at] ?? 0) + 1
      counts[at] = count
      if (count > member.max) {
        const expected = member.max === 1 ? `one ${member.name}` : `at most ${member.max} of ${member.name}`
        this.fault({
          code: 'element_repeated',
          path: this.under(member, count),
          at: child,
          value: child.text.trim(),
          expected,
          hint: 'Remove the extra one.',
        })
        continue
      }
      if (at < reached) {
        const before = content.members[reached]?.name ?? ''
        this.fault({
          code: 'element_order',
          path: this.under(member, count),
          at: child,
          value: child.local,
          expected: `${child.local} before ${before}`,
          hint: 'The order of elements is fixed.',
        })
      } else reached = at
      this.step(member, count, child)
    }
    content.members.forEach((member, at) => {
      if ((counts[at] ?? 0) < member.min) this.missing(element, member.name, this.under(member, 1), member.name)
    })
  }

  private choice(element: XmlElement, content: Group<'choice'>): void {
    const names = content.members.map((member) => member.name)
    const expected = `one of ${names.join(', ')}`
    let chosen: string | undefined
    for (const child of element.children) {
      const at = this.find(child, content)
      if (at === undefined) {
        this.unknown(child, content, 0)
        continue
      }
      const member = content.members[at] as Member
      if (chosen !== undefined) {
        this.fault({
          code: 'choice_repeated',
          path: this.under(member, 1),
          at: child,
          value: child.local,
          expected,
          hint: `${chosen} is there already.`,
        })
        continue
      }
      chosen = member.name
      this.step(member, 1, child)
    }
    if (chosen === undefined && element.children.length === 0)
      this.missing(element, names[0] ?? '', this.path(), expected)
  }

  private leaf(element: XmlElement, content: Content & { kind: 'leaf' }): void {
    const { leaf } = content
    for (const child of element.children) {
      this.fault({
        code: 'element_unexpected',
        path: `${this.path()}/${child.local}`,
        at: child,
        value: child.local,
        expected: 'a value, no elements',
      })
    }
    if (this.interrupted(element, leaf.exact)) return
    if (element.children.length === 0) this.value(element, leaf.check(element.text))
    if (leaf.hasCurrency === true) this.currency(element)
  }

  private value(element: XmlElement, problem: ValueProblem | undefined): void {
    if (isNil(element)) {
      this.fault({
        code: 'value_nil',
        path: this.path(),
        at: element,
        value: 'xsi:nil',
        expected: problem?.expected ?? 'a value',
        hint: 'Elements of ISO 20022 cannot be nil.',
        reasonCode: this.reason(problem?.reasonCode),
      })
      return
    }
    if (problem === undefined) return
    const blank = isBlankText(element.text)
    this.fault({
      code: blank ? 'value_missing' : problem.code,
      path: this.path(),
      at: element,
      value: element.text,
      expected: problem.expected,
      reasonCode: this.reason(problem.reasonCode),
      hint: blank ? 'The element is there but empty.' : problem.hint,
    })
  }

  private currency(element: XmlElement): void {
    const code = attributeOf(element, 'Ccy')
    if (code !== undefined && /^[A-Z]{3}$/.test(code)) return
    this.fault({
      code: code === undefined ? 'currency_missing' : 'currency_format',
      path: `${this.path()}/@Ccy`,
      at: element,
      value: code,
      expected: 'a currency of three capital letters',
      reasonCode: 'AM11',
    })
  }

  /** Supplementary data: one element of any namespace, whose content is not checked. */
  private envelope(element: XmlElement): void {
    this.plainText(element)
    if (element.children.length === 1) return
    this.fault({
      code: 'envelope_content',
      path: this.path(),
      at: element,
      value: `${element.children.length} elements`,
      expected: 'exactly one element',
    })
  }

  private attributes(element: XmlElement, content: Content): void {
    for (const attribute of element.attributes) {
      if (content.kind === 'open') return
      // xsi:schemaLocation is for tools that load schemas and is never followed. xsi:nil of a leaf is handled when its
      // value is read.
      if (attribute.namespace === XSI_NAMESPACE && /^(schemaLocation|noNamespaceSchemaLocation)$/.test(attribute.local))
        continue
      if (attribute.namespace === XSI_NAMESPACE && attribute.local === 'nil') {
        if (content.kind !== 'leaf' && isNil(element)) {
          this.fault({
            code: 'value_nil',
            path: this.path(),
            at: element,
            value: 'xsi:nil',
            expected: 'the element with its content',
            hint: 'Elements of ISO 20022 cannot be nil.',
          })
        }
        continue
      }
      if (
        attribute.namespace === '' &&
        attribute.local === 'Ccy' &&
        content.kind === 'leaf' &&
        content.leaf.hasCurrency === true
      )
        continue
      const expected =
        content.kind === 'leaf' && content.leaf.hasCurrency === true ? 'the attribute Ccy only' : 'no attribute'
      this.fault({
        code: 'attribute_unknown',
        path: `${this.path()}/@${attribute.local}`,
        at: element,
        value: attribute.value,
        expected,
        hint: attribute.namespace === '' ? undefined : `It is in the namespace ${attribute.namespace}.`,
      })
    }
  }

  /**
   * Refuse comments inside identifiers, amounts and codes, and CDATA sections anywhere: readers of a message join or
   * show such text differently, which could conceal the real payment.
   */
  private interrupted(element: XmlElement, isExact: boolean): boolean {
    if (element.interrupted === undefined || (element.interrupted === 'comment' && !isExact)) return false
    const isComment = element.interrupted === 'comment'
    this.fault({
      code: 'markup_in_value',
      path: this.path(),
      at: element,
      value: isComment ? '<!-- … -->' : '<![CDATA[ … ]]>',
      expected: 'the value alone',
      hint: isComment ? 'Remove the comment.' : 'Write &lt; and &amp; instead of a CDATA section.',
    })
    return true
  }

  private plainText(element: XmlElement): void {
    if (this.interrupted(element, false)) return
    if (isBlankText(element.text)) return
    this.fault({
      code: 'text_unexpected',
      path: this.path(),
      at: element,
      value: element.text.trim(),
      expected: 'elements, no text between them',
    })
  }

  private find(child: XmlElement, content: Group): number | undefined {
    return child.namespace === this.check.namespace ? content.index.get(child.local) : undefined
  }

  private unknown(child: XmlElement, content: Group, reached: number): void {
    const path = `${this.path()}/${child.local}`
    if (child.namespace !== this.check.namespace) {
      const found = child.namespace === '' ? 'no namespace' : child.namespace
      this.fault({
        code: 'element_namespace',
        path,
        at: child,
        value: found,
        expected: this.check.namespace,
        hint: 'Other namespaces belong into SplmtryData/Envlp.',
      })
      return
    }
    const rest = content.kind === 'choice' ? content.members : content.members.slice(reached)
    const names = rest.slice(0, MAX_NAMES).map((member) => member.name)
    const near = content.members.find((member) => member.name.toLowerCase() === child.local.toLowerCase())
    const hint =
      near === undefined ? 'Remove it, or move it to its position in the message definition.' : `Write ${near.name}.`
    this.fault({
      code: 'element_unknown',
      path,
      at: child,
      value: child.local,
      expected: `${names.join(', ')}${rest.length > names.length ? ', …' : ''}`,
      hint,
    })
  }

  private missing(parent: XmlElement, name: string, path: string, expected: string): void {
    this.fault({
      code: 'element_missing',
      path,
      at: parent,
      expected,
      hint: `${name} is required in ${parent.local}.`,
      reasonCode: this.reason(undefined, path),
    })
  }

  private step(member: Member, number: number, child: XmlElement): void {
    this.trail.push(segment(member, number))
    this.visit(child, member.content)
    this.trail.pop()
  }

  private under(member: Member, number: number): string {
    return `${this.path()}/${segment(member, number)}`
  }

  private path(): string {
    return `/${this.trail.join('/')}`
  }

  private reason(byType: ReasonCode | undefined, path = this.path()): ReasonCode | undefined {
    return this.check.reasonOf(path.replace(/\[[0-9]+\]/g, '')) ?? byType
  }

  private fault(input: Omit<FaultInput, 'at'> & { at: XmlElement }): void {
    this.check.faults.add({ ...input, at: this.check.source.place(input.at.offset) })
  }
}

function segment(member: Member, number: number): string {
  return member.max > 1 ? `${member.name}[${number}]` : member.name
}
