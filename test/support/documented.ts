/** Owns the check of responses against the OpenAPI document of their gateway. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { type AnyRoute, CODEC_MEDIA_TYPE, JSON_MEDIA_TYPE } from '../../src/api/index.js'
import type { CodecContext } from '../../src/codec/index.js'
import type { Gateway } from '../../src/gateway/index.js'
import { errorCodeOf } from './error-record.js'

/** Response of the injector. */
export interface GivenAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly rawPayload: Buffer
}

type Content = Readonly<Record<string, { readonly schema?: object }>>
interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
  /** Codes of its possible errors, by status. */
  readonly 'x-error-codes': Readonly<Record<string, readonly string[]>>
}

/** Segment of a JSON pointer in a URI fragment. */
const part = (text: string): string => encodeURIComponent(text.replace(/~/g, '~0').replace(/\//g, '~1'))

export class Documented {
  /** `id media-type` of every checked successful response. */
  readonly good = new Set<string>()
  private readonly checks = new Map<string, ValidateFunction>()
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false })

  private constructor(
    private readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>,
    document: object,
    private readonly codec: CodecContext,
  ) {
    this.ajv.addSchema({ $id: 'doc', ...document })
  }

  static async of(gateway: Gateway, codec: CodecContext): Promise<Documented> {
    const document = JSON.parse((await gateway.inject({ url: '/openapi' })).body) as { paths: Documented['paths'] }
    return new Documented(document.paths, document, codec)
  }

  /** Fail unless the response matches the document of its route: a documented status, its media type, its schema. */
  check(row: AnyRoute, { statusCode: status, headers, rawPayload: body }: GivenAnswer): void {
    const operation = this.paths[row.path]?.[row.method.toLowerCase()]
    if (status >= 400) {
      const code = errorCodeOf({ status, rejectCode: headers['x-ledger-reject-code'], body })
      expect(operation?.responses[String(status)], `${row.id} answers ${status} ${code}`).toBeDefined()
      expect(operation?.['x-error-codes'][String(status)], `${row.id} answers ${status} ${code}`).toContain(code)
      return
    }
    const content = operation?.responses[String(status)]?.content
    const [type = ''] = String(headers['content-type']).split(';')
    const found = Object.keys(content ?? {}).find((one) => one.split(';')[0] === type)
    expect(found, `${row.id} answers ${status} ${type}`).toBeDefined()
    this.good.add(`${row.id} ${type}`)
    if (type === CODEC_MEDIA_TYPE) this.jsonFits(row, status, body)
    else if (type === JSON_MEDIA_TYPE) this.fits(row, status, JSON.parse(body.toString('utf8')))
  }

  /** A frame is checked by the JSON form of its content. */
  private jsonFits(row: AnyRoute, status: number, body: Buffer): void {
    const opened = row.frame?.open(body, this.codec)
    if (opened?.ok !== true) throw new Error(`${row.id} answers no frame of its record`)
    this.fits(row, status, row.frame?.schema.toJson(opened.value, this.codec))
  }

  private fits(row: AnyRoute, status: number, json: unknown): void {
    const path = `/paths/${part(row.path)}/${row.method.toLowerCase()}/responses/${status}/content/${part(JSON_MEDIA_TYPE)}/schema`
    const check = this.checks.get(path) ?? this.ajv.compile({ $ref: `doc#${path}` })
    this.checks.set(path, check)
    const shown = JSON.stringify(json).slice(0, 400)
    expect(check(json), `${row.id}: ${JSON.stringify(check.errors)} of ${shown}`).toBe(true)
  }
}
