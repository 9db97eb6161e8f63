/** Owns the display of arguments and events of contracts: values by name. */
import type { Capabilities } from '../../api/schema/node.js'
import type { Params } from '../../features/contracts/schema/type-texts.js'
import { valuesOf } from '../contract-values.js'
import { bytesText } from '../format.js'
import type { JsonOf } from '../json.js'
import { useRead } from '../state/read.js'
import { AccountLink, Text } from './ui.js'

const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z0-9]+1[a-z0-9]{38,}$/.test(value)

/** Value as a single line. */
function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${valueText(one)}`)
    .join(', ')
}

const sizeText = (base64: string): string => bytesText(Math.floor((base64.replace(/=+$/, '').length * 3) / 4))

/** Values by name, with links to accounts; bytes without a type in the manifest are shown by size. */
export function CallValues({ params, base64 }: { readonly params: Params | undefined; readonly base64: string }) {
  const prefix = useRead<JsonOf<Capabilities>>('/v1/node/capabilities').value?.address_prefix
  const values = params === undefined || prefix === undefined ? undefined : valuesOf(params, base64, prefix)
  if (values === undefined) return <>{sizeText(base64)}</>
  const entries = Object.entries(values)
  if (entries.length === 0) return <>none</>
  return (
    <span>
      {entries.map(([name, value], at) => (
        <span key={name}>
          {at === 0 ? '' : ', '}
          {name}: {isAddress(value) ? <AccountLink id={value} /> : <Text of={valueText(value)} />}
        </span>
      ))}
    </span>
  )
}
