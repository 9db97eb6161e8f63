/** Owns derived names: snake_case JSON fields and PascalCase JSON variants from declared camelCase names. */

/** Pattern of declared names; only matching names may enter generated source. */
const DECLARED = /^[a-z][A-Za-z0-9]*$/

/** Throw for a declared field or variant name that is not camelCase letters and digits. */
export function requireDeclaredName(owner: string, name: string): void {
  if (!DECLARED.test(name))
    throw new Error(`${owner}: ${JSON.stringify(name)} is not a camelCase name of letters and digits`)
}

/** `ttlMs` to `ttl_ms`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Result type of `snakeCase`. */
export type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name

/** `mintAsset` to `MintAsset`. */
export const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
