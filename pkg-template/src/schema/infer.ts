// The types of the values that a schema describes, for the compiler alone.

/** What Standard Schema says of the values that a library's schema takes and gives. */
export interface Typed<Input, Output> {
  readonly '~standard': { readonly types?: { readonly input: Input; readonly output: Output } | undefined }
}

/**
 * What a schema in any of the forms takes, or gives once it has validated: AI SDK's schemas, those of libraries, JSON
 * schemas; `Open` where it says nothing.
 */
export type OfInput<Schema, Open, Side extends 'input' | 'output' = 'input'> = [
  Extract<Schema, { readonly _type: unknown }>,
] extends [never]
  ? Schema extends Typed<infer Input, infer Output>
    ? { input: Input; output: Output }[Side]
    : Schema extends () => infer Made
      ? OfInput<Made, Open, Side>
      : OfJsonSchema<Schema, Open>
  : Extract<Schema, { readonly _type: unknown }>['_type']

/** The values that a JSON schema describes, as far as the compiler sees its keywords; `Open` where it says nothing. */
export type OfJsonSchema<Schema, Open> = Described<Schema, Schema, Open>

type Described<Schema, Root, Open> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: ReadonlyArray<infer Value> }
    ? Value
    : Schema extends { readonly $ref: infer Path }
      ? OfReference<Path, Root, Open>
      : Schema extends { readonly anyOf: ReadonlyArray<infer Way> } | { readonly oneOf: ReadonlyArray<infer Way> }
        ? OfEach<Way, Root, Open>
        : Schema extends { readonly allOf: infer All }
          ? OfAll<All, Root, Open>
          : Schema extends { readonly type: infer Types }
            ?
                | OfTypes<Types extends ReadonlyArray<infer Type> ? Type : Types, Schema, Root, Open>
                | (Schema extends { readonly nullable: true } ? null : never)
            : Schema extends { readonly properties: object }
              ? OfProperties<Schema, Root, Open>
              : Open

type OfEach<Way, Root, Open> = Way extends unknown ? Described<Way, Root, Open> : never

type OfAll<All, Root, Open> = All extends readonly [infer First, ...infer Others]
  ? Described<First, Root, Open> & OfAll<Others, Root, Open>
  : unknown

type OfReference<Path, Root, Open> = Path extends '#'
  ? Described<Root, Root, Open>
  : Path extends `#/${infer Place}/${infer Name}`
    ? Place extends keyof Root
      ? Name extends keyof Root[Place]
        ? Described<Root[Place][Name], Root, Open>
        : Open
      : Open
    : Open

type OfTypes<Type, Schema, Root, Open> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? Schema extends { readonly items: infer Item extends object }
            ? Array<Described<Item, Root, Open>>
            : Open[]
          : Type extends 'object'
            ? OfProperties<Schema, Root, Open>
            : Open

type OfProperties<Schema, Root, Open> = Schema extends { readonly properties: infer Properties }
  ? Flat<
      {
        -readonly [Key in keyof Properties as Key extends RequiredOf<Schema> ? Key : never]: Described<
          Properties[Key],
          Root,
          Open
        >
      } & {
        -readonly [Key in keyof Properties as Key extends RequiredOf<Schema> ? never : Key]?: Described<
          Properties[Key],
          Root,
          Open
        >
      }
    >
  : Schema extends { readonly additionalProperties: infer More extends object }
    ? { [key: string]: Described<More, Root, Open> }
    : { [key: string]: Open }

type RequiredOf<Schema> = Schema extends { readonly required: ReadonlyArray<infer Name> } ? Name : never

type Flat<Type> = { [Key in keyof Type]: Type[Key] }
