import { describe, expect, it } from 'vitest'
import {
  accepted,
  envelope009,
  HEAD_NAMESPACE,
  header,
  P8_NAMESPACE,
  pacs008,
  pacs009,
  refused,
} from '../../fixtures/iso20022/messages.js'

const head = header('pacs.008.001.08')

describe('market wrappers', () => {
  it.each([
    ['Document alone', pacs008()],
    ['Envelope without namespace', `<Envelope>${head}${pacs008()}</Envelope>`],
    ['RequestPayload', `<RequestPayload>${head}${pacs008()}</RequestPayload>`],
    ['Request of SWIFTNet', `<Request xmlns="SWIFTNetBusinessEnvelope">${head}${pacs008()}</Request>`],
    ['Message', `<Message xmlns="SWIFTNetBusinessEnvelope">${head}${pacs008()}</Message>`],
    ['BusMsg with Document first', `<BusMsg>${pacs008()}${head}</BusMsg>`],
    [
      'DataPDU with Body',
      `<DataPDU xmlns="urn:swift:saa:xsd:saa.2.0"><Header><Revision>2</Revision></Header><Body>${head}${pacs008()}</Body></DataPDU>`,
    ],
    ['DataEnvelope', `<e:DataEnvelope xmlns:e="urn:e"><e:Body>${head}${pacs008()}</e:Body></e:DataEnvelope>`],
    ['three wrappers, header and document as cousins', `<A><B><C>${head}</C></B><D>${pacs008()}</D></A>`],
    [
      'another header version',
      `<R>${header('pacs.008.001.08', 'X', HEAD_NAMESPACE.replace('.02', '.03'))}${pacs008()}</R>`,
    ],
    ['a definition with a scheme suffix', `<R>${header('pacs.008.001.08.ch.01')}${pacs008()}</R>`],
  ])('accepts %s', (_, body) => {
    expect(accepted(body).payment.messageId).toBe('PAY-1')
  })

  it('refuses a body without Document, with a hint about the wrapper', () => {
    const body = pacs008().replace(/<\/?Document[^>]*>/g, '')
    const { stage, faults } = refused(`<RequestPayload>${body}</RequestPayload>`)
    expect(stage).toBe('invalid')
    expect(faults[0]).toMatchObject({
      code: 'document_missing',
      path: '/FIToFICstmrCdtTrf',
      hint: expect.stringContaining('<Document xmlns='),
    })
  })

  it('rejects a Document without a namespace or with a wrong one', () => {
    expect(refused(pacs008().replace(` xmlns="${P8_NAMESPACE}"`, '')).codes).toEqual(['document_namespace@/Document'])
    const unused = pacs008().replace('xmlns=', 'xmlns:Doc=')
    expect(refused(unused).faults[0]).toMatchObject({ code: 'document_namespace', value: 'no namespace' })
    for (const spoof of [
      'urn:evil:pacs.008.001.08',
      `${P8_NAMESPACE}x`,
      ` ${P8_NAMESPACE}`,
      P8_NAMESPACE.toUpperCase(),
      `${P8_NAMESPACE}.01`,
    ]) {
      expect(refused(pacs008().replace(P8_NAMESPACE, spoof)).codes).toEqual(['document_namespace@/Document'])
    }
  })

  it('refuses two documents, two headers and a header of another namespace', () => {
    expect(refused(`<R>${pacs008()}${pacs008()}</R>`).codes).toEqual(['document_repeated@/Document'])
    expect(refused(`<R>${head}${head}${pacs008()}</R>`).codes).toEqual(['header_repeated@/AppHdr'])
    expect(refused(`<R>${head.replace(HEAD_NAMESPACE, 'urn:evil')}${pacs008()}</R>`).codes).toEqual([
      'header_namespace@/AppHdr',
    ])
    expect(refused(`<R>${head.replace('head.001.001.02', 'head.001.001.09')}${pacs008()}</R>`).codes).toEqual([
      'header_other@/AppHdr',
    ])
  })

  it('rejects a header with another message type', () => {
    const { faults } = refused(`<R>${header('pacs.009.001.10')}${pacs008()}</R>`)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatchObject({
      code: 'definition_mismatch',
      path: '/AppHdr/MsgDefIdr',
      value: 'pacs.009.001.10',
      expected: 'pacs.008.001.08',
    })
  })

  it('rejects other families and versions, and reports them', () => {
    const other = pacs008().replace('pacs.008.001.08', 'camt.053.001.02')
    expect(refused(other).faults[0]).toMatchObject({ code: 'family_other', value: 'camt.053.001.02' })
    const older = pacs008().replace('pacs.008.001.08', 'pacs.008.001.07')
    expect(refused(older).faults[0]).toMatchObject({
      code: 'definition_other',
      expected: expect.stringContaining('pacs.008.001.08'),
    })
    expect(refused(envelope009(), { family: 'pacs.008' }).faults[0]).toMatchObject({
      code: 'family_other',
      expected: 'pacs.008.001.08',
      hint: 'Submit it as pacs.009.',
    })
    expect(refused(pacs008(), { family: 'pacs.009' }).codes).toEqual(['family_other@/Document'])
  })

  it('does not search for a Document inside another Document or below the maximum depth', () => {
    const wrap = (levels: number) => `${'<w>'.repeat(levels)}${pacs008()}${'</w>'.repeat(levels)}`
    accepted(wrap(7))
    expect(refused(wrap(8)).codes).toEqual(['document_missing@/w'])
  })

  it('checks the structure of the header', () => {
    const broken = head.replace(/<CreDt>.*<\/CreDt>/, '').replace('<BizMsgIdr>', '<Foo/><BizMsgIdr>')
    expect(refused(`<R>${broken}${pacs008()}</R>`).codes.sort()).toEqual([
      'element_missing@/AppHdr/CreDt',
      'element_unknown@/AppHdr/Foo',
    ])
  })

  it('warns if the business id differs from the message id', () => {
    expect(accepted(`<R>${head}${pacs008()}</R>`).warnings.map((warning) => warning.code)).toEqual([
      'business_id_differs',
    ])
    expect(accepted(`<R>${header('pacs.008.001.08', 'PAY-1')}${pacs008()}</R>`).warnings).toEqual([])
  })

  it('requires a header for a pacs.009', () => {
    expect(refused(pacs009()).codes).toEqual(['field_required@/AppHdr/BizMsgIdr', 'field_required@/AppHdr/MsgDefIdr'])
  })
})
