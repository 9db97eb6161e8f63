/** Owns the error codes of the codec: bytes or JSON that are no value of the schema. */
import { answered, type ErrorDef, EXIT, row } from '../error-row.js'

export const codecErrors = {
  truncated: row(
    400,
    EXIT.badInput,
    'The bytes end before the value does.',
    'Send the whole record; `causeway codec decode` shows where it ends.',
  ),
  trailing_bytes: row(400, EXIT.badInput, 'Bytes follow the value.', 'Send exactly one record.'),
  non_canonical: row(
    400,
    EXIT.badInput,
    'The bytes are not the one form of their value.',
    'The codec has one byte string per value; encode it again with this release.',
  ),
  bad_tag: row(
    400,
    EXIT.badInput,
    'A variant has a name or a number that the type does not have.',
    'JSON: write one that the message names. Bytes: encode them with a release that has the same schema hash.',
  ),
  bad_utf8: row(400, EXIT.badInput, 'A text is not UTF-8.', 'Send UTF-8.'),
  out_of_bounds: row(
    400,
    EXIT.badInput,
    'A value is longer, larger or more than its type allows.',
    'docs/reference/limits.md has the bounds.',
  ),
  too_deep: row(400, EXIT.badInput, 'Values nest deeper than the codec reads.', 'Send a flatter value.'),
  bad_value: row(
    400,
    EXIT.badInput,
    'A field has a value that its type does not allow.',
    'Fix the field that the message names.',
  ),
  bad_magic: row(
    400,
    EXIT.badInput,
    'The body is not a Causeway frame.',
    'Its 32-byte header is described in docs/reference/codec.md; JSON needs `Content-Type: application/json`.',
  ),
  unsupported_version: row(
    400,
    EXIT.badInput,
    'The frame has a version that this release does not read.',
    'Use a client of the same release: compare GET /v1/node/capabilities.',
  ),
  schema_mismatch: row(
    400,
    EXIT.badInput,
    'The body was encoded for another record or another release.',
    'Compare the versions at GET /v1/node/capabilities.',
  ),
  bad_checksum: row(400, EXIT.badInput, 'The bytes of a frame do not match its checksum.', 'Send it again.'),
  malformed_json: row(
    400,
    EXIT.badInput,
    'The text is not valid JSON.',
    'Fix the JSON at the line and column of the message.',
  ),
  unknown_field: row(
    400,
    EXIT.badInput,
    'A JSON object has a field that its record does not have.',
    'Remove it, or correct its name.',
  ),
  duplicate_field: row(400, EXIT.badInput, 'A JSON object or a query string names a field twice.', 'Name it once.'),
  missing_field: row(400, EXIT.badInput, 'A JSON object lacks a field that its record needs.', 'Add it.'),
  unknown_instruction: answered(
    42,
    400,
    EXIT.badInput,
    'The active ABI has no such instruction.',
    'Compare `abi_version` at GET /v1/node/capabilities.',
  ),
} as const satisfies Record<string, ErrorDef>
