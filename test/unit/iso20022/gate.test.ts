import { describe, expect, it, vi } from 'vitest'
import {
  MAX_ATTRIBUTES,
  MAX_BODY_BYTES,
  MAX_DEPTH,
  MAX_ELEMENTS,
} from '../../../src/features/iso20022/message/limits.js'
import { readXml } from '../../../src/features/iso20022/message/xml/gate.js'
import { accepted, P8_NAMESPACE, pacs008, parse, refused, T8 } from '../../fixtures/iso20022/messages.js'
import { fastRun } from '../../support/fast.js'

const named = (text: string) => pacs008({ Dbtr: `<Dbtr><Nm>${text}</Nm></Dbtr>` })
const supplementary = (content: string) => pacs008({ end: `<SplmtryData><Envlp>${content}</Envlp></SplmtryData>` })

describe('encoding of a body', () => {
  it('accepts UTF-8 with and without a BOM, and a declaration of UTF-8 or US-ASCII', () => {
    const body = pacs008()
    accepted(body)
    accepted(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(body)]))
    accepted(`<?xml version="1.0" encoding="utf-8"?>\r\n${body}\r\n`)
    accepted(`<?xml version='1.0' encoding='US-ASCII' standalone='yes'?>${body}`)
  })

  it.each([
    ['UTF-16 with a mark', Buffer.from(`\ufeff${pacs008()}`, 'utf16le'), 'encoding_utf16'],
    ['UTF-16 without a mark', Buffer.from(pacs008(), 'utf16le'), 'encoding_zero_byte'],
    [
      'a declared ISO-8859-1',
      Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${named('M\u00fcller')}`, 'latin1'),
      'encoding_declared',
    ],
    [
      'a declaration of another encoding',
      Buffer.from(`<?xml version="1.0" encoding="UTF-16"?>${pacs008()}`),
      'encoding_declared',
    ],
    ['undeclared ISO-8859-1', Buffer.from(named('M\u00fcller'), 'latin1'), 'encoding_invalid_utf8'],
    [
      'overlong UTF-8',
      Buffer.concat([Buffer.from('<a>'), Buffer.from([0xc0, 0xbc]), Buffer.from('</a>')]),
      'encoding_invalid_utf8',
    ],
    ['UTF-8 cut inside a character', Buffer.from('<a>\u00fc').subarray(0, 4), 'encoding_invalid_utf8'],
  ])('refuses %s', (_, bytes, code) => {
    const { stage, faults } = refused(bytes)
    expect(stage).toBe('encoding')
    expect(faults.map((fault) => fault.code)).toEqual([code])
  })

  it('reports the position of the byte that is not UTF-8', () => {
    const body = Buffer.from(named('M\u00fcller'), 'latin1')
    expect(refused(body).faults[0]?.value).toBe(`byte 0xfc at offset ${body.indexOf(0xfc)}`)
  })

  it('refuses a body above the cap before it reads it', () => {
    const { stage, codes } = refused(Buffer.alloc(MAX_BODY_BYTES + 1, 0x41))
    expect([stage, codes]).toEqual(['size', ['body_too_large@/']])
    expect(refused(named('A'.repeat(MAX_BODY_BYTES - 2_000))).stage).toBe('invalid')
  })

  it('refuses an empty body', () => {
    expect(refused('').codes).toEqual(['empty_body@/'])
    expect(refused(' \r\n\t').codes).toEqual(['empty_body@/'])
  })
})

describe('the XML parser', () => {
  it.each([
    ['a bare document type', `<!DOCTYPE Document>${pacs008()}`, 'xml_doctype'],
    ['an external entity', `<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/hostname">]>${named('&x;')}`, 'xml_doctype'],
    [
      'entities that multiply',
      `<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>${named('&b;')}`,
      'xml_doctype',
    ],
    ['a parameter entity', `<!DOCTYPE d [<!ENTITY % p SYSTEM "http://127.0.0.1:9/p"> %p;]>${pacs008()}`, 'xml_doctype'],
    ['a document type after the root', `${pacs008()}<!DOCTYPE d>`, 'xml_doctype'],
    ['an unknown entity', named('&euro;'), 'xml_reference'],
    ['a bare ampersand', named('A & B'), 'xml_reference'],
    ['a reference to NUL', named('a&#0;b'), 'xml_reference'],
    ['a reference to a surrogate', named('&#xD800;'), 'xml_reference'],
    ['a reference beyond Unicode', named('&#x110000;'), 'xml_reference'],
    ['a control character', named('a\u0001b'), 'xml_forbidden_character'],
    ['the end of a CDATA section in text', named(']]>'), 'xml_cdata_end_in_text'],
    ['two hyphens in a comment', named('<!-- a -- b -->x'), 'xml_comment_hyphens'],
    ['an instruction inside the root', named('<?php x ?>'), 'xml_instruction'],
    ['a declaration that is not first', ` <?xml version="1.0"?>${pacs008()}`, 'xml_declaration_misplaced'],
    ['XML 1.1', `<?xml version="1.1"?>${pacs008()}`, 'xml_declaration'],
    ['a wrong end tag', pacs008().replace('</Cdtr>', '</Cdtx>'), 'xml_mismatched_tag'],
    ['a truncated message', pacs008().slice(0, -11), 'xml_unclosed_element'],
    ['a message truncated inside a tag', pacs008().slice(0, -5), 'xml_unclosed_tag'],
    ['text after the root', `${pacs008()}garbage`, 'xml_text_outside_root'],
    ['a second root', `${pacs008()}<x/>`, 'xml_second_root'],
    [
      'an attribute twice',
      pacs008({ IntrBkSttlmAmt: '<IntrBkSttlmAmt Ccy="EUR" Ccy="USD">1</IntrBkSttlmAmt>' }),
      'xml_duplicate_attribute',
    ],
    [
      'an attribute without quotes',
      pacs008({ IntrBkSttlmAmt: '<IntrBkSttlmAmt Ccy=EUR>1</IntrBkSttlmAmt>' }),
      'xml_tag',
    ],
    [
      'attributes without a blank',
      pacs008({ IntrBkSttlmAmt: '<IntrBkSttlmAmt a="1"Ccy="EUR">1</IntrBkSttlmAmt>' }),
      'xml_attribute',
    ],
    [
      'a less-than sign in an attribute',
      pacs008({ IntrBkSttlmAmt: '<IntrBkSttlmAmt Ccy="<">1</IntrBkSttlmAmt>' }),
      'xml_attribute',
    ],
    ['an at sign in a name', pacs008({ IntrBkSttlmAmt: '<IntrBkSttlmAmt :@="1">1</IntrBkSttlmAmt>' }), 'xml_attribute'],
    ['a name that is a number', named('<1/>'), 'xml_name'],
    ['__proto__ as a name', supplementary('<__proto__><polluted>1</polluted></__proto__>'), 'xml_reserved_name'],
    ['toString as a name', supplementary('<toString>1</toString>'), 'xml_reserved_name'],
    ['an undeclared prefix', pacs008({ MsgId: '<q:MsgId>1</q:MsgId>' }), 'xml_undeclared_prefix'],
    ['an undeclared attribute prefix', pacs008({ MsgId: '<MsgId q:a="1">1</MsgId>' }), 'xml_undeclared_prefix'],
    [
      'one attribute under two prefixes',
      supplementary('<x xmlns:a="urn:a" xmlns:b="urn:a" a:k="1" b:k="2"/>'),
      'xml_duplicate_attribute',
    ],
    ['a prefix bound to nothing', supplementary('<x xmlns:a=""/>'), 'xml_namespace'],
    ['a redefined xml prefix', supplementary('<x xmlns:xml="urn:x"/>'), 'xml_namespace'],
  ])('refuses %s', (_, body, code) => {
    const { stage, faults } = refused(body)
    expect(stage).toBe('malformed')
    expect(faults.map((fault) => fault.code)).toContain(code)
    for (const fault of faults) expect([fault.line > 0, fault.column > 0]).toEqual([true, true])
  })

  it('collects several faults with line and column', () => {
    const { faults } = refused('<a>\n  <b x="&u;"/>\n  & <!-- -- -->\n</a>')
    expect(faults.map(({ code, line, column }) => [code, line, column])).toEqual([
      ['xml_reference', 2, 9],
      ['xml_reference', 3, 3],
      ['xml_comment_hyphens', 3, 10],
    ])
  })

  it('bounds depth, elements and attributes', () => {
    const deep = `${'<a>'.repeat(MAX_DEPTH + 1)}${'</a>'.repeat(MAX_DEPTH + 1)}`
    expect(refused(deep).faults[0]?.code).toBe('xml_too_deep')
    expect(readXml(Buffer.from(`${'<a>'.repeat(MAX_DEPTH)}${'</a>'.repeat(MAX_DEPTH)}`)).ok).toBe(true)
    expect(refused(`<a>${'<b/>'.repeat(MAX_ELEMENTS)}</a>`).faults[0]?.code).toBe('xml_too_many_elements')
    const attributes = Array.from({ length: MAX_ATTRIBUTES + 1 }, (_, at) => `a${at}="1"`).join(' ')
    expect(refused(`<a ${attributes}/>`).faults[0]?.code).toBe('xml_too_many_attributes')
  })

  it('runs in linear time on text crafted to slow down patterns', () => {
    const blanks = ' '.repeat(200_000)
    const bodies = [
      `</${blanks}x>`,
      `<a${blanks}`,
      `<a b${blanks}c`,
      pacs008({ NbOfTxs: `<NbOfTxs>1${blanks}1</NbOfTxs>` }),
      named('&amp;'.repeat(40_000)),
    ]
    bodies.push(
      pacs008({ groupRest: `<CtrlSum>0.${'0'.repeat(200_000)}1</CtrlSum>` }),
      pacs008({ IntrBkSttlmDt: `<IntrBkSttlmDt>2026-03-02${blanks}x</IntrBkSttlmDt>` }),
    )
    fastRun(5_000, () => {
      for (const body of bodies) expect(parse(body).ok).toBe(false)
    })
  })

  it('decodes the five named entities and numeric references once', () => {
    const gate = readXml(Buffer.from('<a b="&quot;&#10;x">&lt;&amp;lt;&#65;&#x1F600;&apos;</a>'))
    if (!gate.ok) throw new Error('refused')
    expect(gate.root.text).toBe("<&lt;A\u{1f600}'")
    expect(gate.root.attributes).toEqual([{ namespace: '', local: 'b', value: '"\nx' }])
  })

  it('resolves prefixes, default namespaces and redeclarations', () => {
    const gate = readXml(
      Buffer.from('<p:a xmlns:p="urn:1" xmlns="urn:2"><b/><p:c xmlns:p="urn:3" p:k="v" k="w"/><d xmlns=""/></p:a>'),
    )
    if (!gate.ok) throw new Error('refused')
    expect([gate.root, ...gate.root.children].map(({ namespace, local }) => `${namespace} ${local}`)).toEqual([
      'urn:1 a',
      'urn:2 b',
      'urn:3 c',
      ' d',
    ])
    expect(gate.root.children[1]?.attributes.map(({ namespace, local }) => `${namespace} ${local}`)).toEqual([
      'urn:3 k',
      ' k',
    ])
  })

  it('shares inherited namespaces with an element that declares its own', () => {
    const declared = Array.from({ length: 40 }, (_, level) =>
      Array.from({ length: MAX_ATTRIBUTES }, (_, at) => `xmlns:p${level}x${at}="u"`).join(' '),
    )
    const leaves = '<p0x0:b xmlns:c="v"/>'.repeat(1_000)
    const body = declared.reduceRight((inside, own) => `<a ${own}>${inside}</a>`, leaves)
    const set = vi.spyOn(Map.prototype, 'set')
    const gate = readXml(Buffer.from(body))
    const calls = set.mock.calls.filter(([, uri]) => uri === 'u' || uri === 'v').length
    set.mockRestore()
    expect(gate.ok).toBe(true)
    expect(calls).toBe(40 * MAX_ATTRIBUTES + 1_000)
  })

  it('keeps values as text', () => {
    const gate = readXml(Buffer.from('<a><b>0001</b><b>1e5</b><b>0x1F</b><b>true</b><b> 1.10 </b></a>'))
    if (!gate.ok) throw new Error('refused')
    expect(gate.root.children.map((child) => child.text)).toEqual(['0001', '1e5', '0x1F', 'true', ' 1.10 '])
  })
})

describe('well-formed XML with unusual constructs', () => {
  const amount = (text: string) => pacs008({ IntrBkSttlmAmt: `<IntrBkSttlmAmt Ccy="EUR">${text}</IntrBkSttlmAmt>` })

  it('is rejected for comments in identifiers or amounts, and for CDATA anywhere', () => {
    expect(refused(amount('100<!---->.00')).codes).toEqual([`markup_in_value@${T8}/IntrBkSttlmAmt`])
    expect(refused(amount('<![CDATA[100.00]]>')).codes).toEqual([`markup_in_value@${T8}/IntrBkSttlmAmt`])
    expect(refused(named('<![CDATA[</Nm></Dbtr><CdtrAcct>]]>')).codes).toEqual([`markup_in_value@${T8}/Dbtr/Nm`])
    accepted(named('Alpha <!-- and sons -->Ltd'))
    accepted(`<!-- a --><?xml-stylesheet href="x"?>${pacs008({ end: '<!-- b -->' })}`)
  })

  it('is rejected for elements or attributes of another namespace', () => {
    const shadow = '<e:CdtrAcct xmlns:e="urn:evil"><e:Id><e:IBAN>GB82WEST12345698765432</e:IBAN></e:Id></e:CdtrAcct>'
    expect(refused(pacs008({ Cdtr: `<Cdtr><Nm>B</Nm></Cdtr>${shadow}` })).codes).toEqual([
      `element_namespace@${T8}/CdtrAcct`,
    ])
    const currency = '<IntrBkSttlmAmt xmlns:e="urn:e" e:Ccy="USD" Ccy="EUR">1.00</IntrBkSttlmAmt>'
    expect(refused(pacs008({ IntrBkSttlmAmt: currency })).codes).toEqual([
      `attribute_unknown@${T8}/IntrBkSttlmAmt/@Ccy`,
    ])
  })

  it('is rejected for xsi:nil, and a schema location is never followed', () => {
    const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    const nil = `<IntrBkSttlmAmt Ccy="EUR" xsi:nil="true" ${xsi}/>`
    expect(refused(pacs008({ IntrBkSttlmAmt: nil })).codes).toEqual([`value_nil@${T8}/IntrBkSttlmAmt`])
    accepted(pacs008().replace('<Document', `<Document ${xsi} xsi:schemaLocation="urn:x http://127.0.0.1:9/evil.xsd"`))
  })

  it('is accepted with any prefix for the right namespace', () => {
    const prefixed = pacs008()
      .replaceAll(/<(\/?)([A-Z])/g, '<$1p:$2')
      .replace('xmlns=', 'xmlns:p=')
    expect(prefixed).toContain(`<p:Document xmlns:p="${P8_NAMESPACE}">`)
    accepted(prefixed)
  })
})
