/** Owns the check of a business application header by the structure of its version. */
import type { Findings } from './draft.js'
import type { Envelope } from './envelope.js'
import { checkStructure } from './structure/check.js'
import { HEADERS } from './structure/head001.js'
import { type Content, compile } from './structure/schema.js'
import type { SourceText } from './xml/source.js'

const HEADER_CONTENT: ReadonlyMap<string, Content> = new Map(
  Object.entries(HEADERS).map(([definition, table]) => [definition, compile(table, 'AppHdr')]),
)

/** Check the header of an envelope, if it has one. */
export function checkHeader({ header }: Envelope, source: SourceText, { faults }: Findings): void {
  if (header === undefined) return
  const content = HEADER_CONTENT.get(header.definition)
  if (content === undefined) {
    faults.add({
      code: 'header_other',
      path: '/AppHdr',
      at: source.place(header.element.offset),
      value: header.definition,
      expected: [...HEADER_CONTENT.keys()].join(', '),
    })
    return
  }
  checkStructure(header.element, content, '/AppHdr', {
    source,
    faults,
    namespace: header.element.namespace,
    reasonOf: (path) => (path === '/AppHdr/CreDt' ? 'DT02' : undefined),
  })
}
