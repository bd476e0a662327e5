// What a schema of each form does to the reading of fields, and which events a
// pattern chooses.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FieldStream, StreamingJSONParser, parseFields, parsePartial } from 'tokenweir/fields'
import * as z from 'zod'
import * as mini from 'zod/mini'

/** Everything that a parser emits for some chunks, and its state then. */
function read(chunks, schema, options) {
  const parser = new StreamingJSONParser(schema, options)
  const events = [...chunks.flatMap((chunk) => parser.parseChunk(chunk)), ...parser.finalize()]
  return { events, data: parser.data, report: parser.report }
}

/** The document that a schema finds in a text; in it nothing may be withdrawn, whatever the cut. */
function found(text, schema) {
  const whole = read([text], schema)
  const cut = read([...text], schema)
  assert.deepEqual(cut.data, whole.data)
  for (const { events } of [whole, cut]) assert.equal(events.filter(({ eventType }) => eventType === 'reset').length, 0, text)
  return whole.data
}

/** The paths that are done, in order. */
const donePaths = (events) => events.filter(({ eventType }) => eventType === 'done').map(({ path }) => path)

const refused = (schema, expected) => assert.throws(() => new StreamingJSONParser(schema), expected)

/** A schema as a library other than Zod makes it: a function, as ArkType's are. */
function standard(vendor, parts, methods = {}) {
  return Object.assign(() => undefined, { '~standard': { version: 1, vendor, validate: (value) => ({ value }), ...parts } }, methods)
}

const text = { type: 'string' }
const number = { type: 'integer' }
const jsonSchema = { type: 'object', properties: { title: text, items: { type: 'array', items: { type: 'object', properties: { id: number, name: text } } } }, required: ['title'] }

/** The same object, `title` and `items` of `id` and `name`, in each form. */
const FORMS = {
  'fields and type names': () => ({ title: 'str', items: [{ id: 'int', name: 'str' }] }),
  'types with descriptions': () => ({ title: ['str', 'one line'], items: [[{ id: ['int', 'from 1'], name: ['str', 'its name', true] }], 'all of them'] }),
  'a described root': () => [{ title: 'str', items: [{ id: 'int', name: 'str' }] }, 'what is asked for'],
  'several kinds of items': () => ({ title: 'str', items: [{ id: 'int' }, { name: 'str' }] }),
  'names of types that nobody knows': () => ({ title: 'a Sentence', items: [{ id: 'uint8', name: 'Optional[str]' }] }),
  'a JSON schema': () => jsonSchema,
  'a closed JSON schema': () => ({ ...jsonSchema, additionalProperties: false }),
  'a nullable JSON schema': () => ({ ...jsonSchema, type: ['object', 'null'] }),
  'a JSON schema without a type': () => ({ $schema: 'https://json-schema.org/draft/2020-12/schema', properties: jsonSchema.properties }),
  '$ref to a definition': () => ({ $ref: '#/$defs/page%20one', $defs: { 'page one': jsonSchema } }),
  '$ref to an anchor': () => ({ $ref: '#page', $defs: { any: { ...jsonSchema, $anchor: 'page' } } }),
  '$ref to an $id': () => ({ $ref: '/schemas/page', $defs: { any: { ...jsonSchema, $id: '/schemas/page' } } }),
  '$ref with escapes': () => ({ $ref: '#/definitions/a~1b~0', definitions: { 'a/b~': jsonSchema } }),
  'allOf': () => ({ allOf: [{ type: 'object', properties: { title: text } }, { properties: { items: jsonSchema.properties.items } }, { required: ['title'] }] }),
  'anyOf with null': () => ({ anyOf: [{ type: 'null' }, jsonSchema] }),
  'properties beside anyOf': () => ({ ...jsonSchema, anyOf: [{ required: ['title'] }, { required: ['items'] }] }),
  'properties beside anyOf, one with more': () => ({ type: 'object', properties: { title: text }, anyOf: [{ required: ['title'] }, { properties: { items: jsonSchema.properties.items } }] }),
  'oneOf, each with a part of the keys': () => ({ oneOf: [{ type: 'object', properties: { title: text } }, { type: 'object', properties: { items: jsonSchema.properties.items } }] }),
  'then': () => ({ type: 'object', properties: { title: text }, if: { required: ['title'] }, then: { properties: { items: jsonSchema.properties.items } } }),
  'else': () => ({ type: 'object', properties: { title: text }, if: { required: ['x'] }, then: { required: ['title'] }, else: { properties: { items: jsonSchema.properties.items } } }),
  'Zod': () => z.object({ title: z.string(), items: z.array(z.object({ id: z.int(), name: z.string().optional() })) }),
  'Zod, nullable': () => z.object({ title: z.string(), items: z.array(z.object({ id: z.int(), name: z.string() })) }).nullable(),
  'Zod, a union': () => z.discriminatedUnion('title', [z.object({ title: z.literal('T'), items: z.array(z.object({ id: z.int(), name: z.string() })) }), z.object({ title: z.literal('U') })]),
  'Zod, with what JSON has not': () => z.object({ title: z.string().transform((title) => title.length), items: z.array(z.object({ id: z.date(), name: z.string() })) }),
  'Zod in an object of fields': () => ({ title: z.string(), items: [z.object({ id: z.int(), name: z.string() })] }),
  'the JSON schema of Zod mini': () => mini.toJSONSchema(mini.object({ title: mini.string(), items: mini.array(mini.object({ id: mini.int(), name: mini.string() })) })),
  'a Standard Schema that gives its JSON schema': () => standard('acme', { jsonSchema: { input: ({ target }) => (target === 'draft-2020-12' ? jsonSchema : {}), output: () => ({ type: 'array' }) } }),
  'a schema with toJsonSchema()': () => standard('acme', {}, { toJsonSchema: () => jsonSchema }),
}

describe('forms of a schema', () => {
  const DOCUMENT = '{"title": "T", "items": [{"id": 1, "name": "n"}]}'
  const PROSE = 'From {"author": {"name": "x"}} and [1], see {}: '

  test('without one, the first object in the prose is the document', () => {
    assert.deepEqual(read([PROSE + DOCUMENT]).data, { author: { name: 'x' } })
    assert.deepEqual(read([PROSE + DOCUMENT], null).data, { author: { name: 'x' } })
  })

  for (const [name, schema] of Object.entries(FORMS)) {
    test(`${name}: an object whose first key is not one of the schema's is skipped`, () => {
      assert.deepEqual(found(PROSE + DOCUMENT, schema()), JSON.parse(DOCUMENT))
    })
  }

  const CUT = ['{"items":[],"title":"T"', ' ', '}']
  for (const [name, schema] of Object.entries(FORMS)) {
    // What comes before the last field that the schema names, and did not change, is done: so Agently guesses.
    test(`${name}: its order is the order of completion`, () => {
      const parser = new StreamingJSONParser(schema(), { completion: 'order' })
      parser.parseChunk(CUT[0])
      assert.deepEqual(donePaths(parser.parseChunk(CUT[1])), ['title'])
    })
  }

  test('and another order is another order of completion', () => {
    for (const schema of [{ items: ['str'], title: 'str' }, { type: 'object', properties: { items: { type: 'array' }, title: text } }, z.object({ items: z.array(z.string()), title: z.string() })]) {
      const parser = new StreamingJSONParser(schema, { completion: 'order' })
      parser.parseChunk(CUT[0])
      assert.deepEqual(donePaths(parser.parseChunk(CUT[1])), ['items'])
    }
  })

  test('any key fits an object that is open', () => {
    const open = [
      { type: 'object', properties: { title: text }, additionalProperties: true },
      { type: 'object', properties: { title: text }, patternProperties: { '^x-': {} } },
      { type: 'object', additionalProperties: text },
      { type: 'object' },
      { anyOf: [{ type: 'object', properties: { title: text } }, { type: 'object' }] },
      z.looseObject({ title: z.string() }),
      z.record(z.string(), z.unknown()),
      {},
    ]
    for (const schema of open) assert.deepEqual(found(`See: ${DOCUMENT.replace('title', 'x')}`, schema), { x: 'T', items: [{ id: 1, name: 'n' }] })
  })

  test('an array is not an object', () => {
    assert.deepEqual(found('Of [1] and ["title"]: {"title": "T"}', { title: 'str' }), { title: 'T' })
    assert.deepEqual(found('Of [1] and ["x"]: {"x": 2}', z.record(z.string(), z.number())), { x: 2 })
  })

  test('fields named like keywords are fields', () => {
    for (const schema of [{ type: 'str', description: 'str' }, { type: 'str', properties: [{ name: 'str' }] }, { items: ['str'], type: 'str' }, { required: 'bool', type: 'str' }]) {
      assert.deepEqual(found('Of {"other": 1}: {"type": "T"}', schema), { type: 'T' })
    }
  })

  test('values are not checked', () => {
    assert.deepEqual(read(['{"title": [1], "more": null}'], { title: 'str' }).data, { title: [1], more: null })
  })
})

describe('schemas of arrays', () => {
  const id = { type: 'object', properties: { id: number } }
  const OBJECTS = {
    'fields': () => [{ id: 'int' }],
    'one of two objects': () => [{ name: 'str' }, { id: 'int' }],
    'JSON schema': () => ({ type: 'array', items: id }),
    'prefixItems': () => ({ type: 'array', prefixItems: [id], items: text }),
    'draft 4': () => ({ type: 'array', items: [id, text] }),
    'Zod': () => z.array(z.object({ id: z.int() })),
  }
  for (const [name, schema] of Object.entries(OBJECTS)) {
    test(`objects, ${name}: the first key of the first element counts`, () => {
      assert.deepEqual(found('In [{"x": 1}] or ["y"], {"id": 5}: [{"id": 1}, {"id": 2}]', schema()), [{ id: 1 }, { id: 2 }])
    })
  }

  test('strings', () => {
    for (const schema of [['str'], ['Text'], [['str', 'a word']], { type: 'array', items: text }, { type: 'array', items: { enum: ['a', 'b'] } }, z.array(z.string()), z.array(z.enum(['a', 'b']))]) {
      assert.deepEqual(found('In [1] and [{"x": 2}]: ["a"]', schema), ['a'])
    }
  })

  test('numbers', () => {
    for (const schema of [['int'], ['float'], { type: 'array', items: { type: 'number' } }, { type: 'array', items: { const: 7 } }, z.array(z.number())]) {
      assert.deepEqual(found('In ["a"] and [{"x": 2}]: [7]', schema), [7])
    }
  })

  test('elements that may be null', () => {
    for (const schema of [{ type: 'array', items: { type: ['string', 'null'] } }, { type: 'array', items: { type: 'string', nullable: true } }, z.array(z.string().nullable())]) {
      assert.deepEqual(found('In [1]: [null, "a"]', schema), [null, 'a'])
    }
  })

  test('elements of several kinds', () => {
    for (const schema of [{ type: 'array', items: { type: ['string', 'number'] } }, z.array(z.union([z.string(), z.number()])), ['anything'], { type: 'array' }, []]) {
      assert.deepEqual(read(['["a", 1]'], schema).data, ['a', 1])
    }
  })
})

describe('schemas that lead back to themselves', () => {
  const tree = { $ref: '#/$defs/tree', $defs: { tree: { type: 'object', properties: { name: text, kids: { type: 'array', items: { $ref: '#/$defs/tree' } } } } } }
  const zodTree = z.object({ name: z.string(), get kids() { return z.array(zodTree) } })
  const DEEP = '{"name": "a", "kids": [{"name": "b", "kids": [{"name": "c", "kids": []}]}]}'

  test('are read to any depth', () => {
    const loose = { ...tree.$defs.tree, $id: 'https://example.com/tree', properties: { name: text, kids: { items: { $ref: 'https://example.com/tree' } } } }
    for (const schema of [tree, zodTree, loose]) assert.deepEqual(found(`Of {"x": 1}: ${DEEP}`, schema), JSON.parse(DEEP))
    assert.deepEqual(found(`Of [{"x": 1}]: [${DEEP}]`, z.array(zodTree)), [JSON.parse(DEEP)])
  })

  test('complete by order', () => {
    const { events } = read([...DEEP], tree, { completion: 'order' })
    assert.deepEqual(new Set(donePaths(events)), new Set(['name', 'kids[0].name', 'kids[0].kids[0].name', 'kids[0].kids[0].kids', 'kids[0].kids[0]', 'kids[0].kids', 'kids[0]', 'kids']))
  })

  test('and say nothing when that is all they do', () => {
    assert.deepEqual(read(['{"x": 1}'], { $ref: '#' }).data, { x: 1 })
    assert.deepEqual(read(['[1]'], { anyOf: [{ $ref: '#' }, { $ref: '#/anyOf/0' }] }).data, [1])
  })

  test('with references that all cross, only completion by order refuses them', () => {
    const names = Array.from({ length: 12 }, (_, at) => `d${at}`)
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]))
    const mesh = { $ref: '#/$defs/d0', $defs: Object.fromEntries(names.map((name) => [name, { type: 'object', properties }])) }
    assert.deepEqual(found('Of {"x": 1}: {"d3": 1}', mesh), { d3: 1 })
    assert.throws(() => new StreamingJSONParser(mesh, { completion: 'order' }), { name: 'TypeError', message: /^schema is too large for completion by order: it has more than 65536 paths/ })
  })
})

describe('invalid schemas are refused, naming the place', () => {
  const FORM = "must be a type's name, an array, an object of fields, a JSON schema or a Standard Schema, but is"
  const ring = { name: 'str' }
  ring.next = ring
  const schemaRing = { type: 'object', properties: {} }
  schemaRing.properties.next = schemaRing
  const WRONG = [
    [5, `schema ${FORM} number 5`],
    [true, `schema ${FORM} boolean true`],
    [new Map(), `schema ${FORM} an object of Map`],
    [{ a: String }, `schema.a ${FORM} a function`],
    [{ a: '' }, `schema.a ${FORM} string ""`],
    [{ items: [{ price: 5 }] }, `schema.items[0].price ${FORM} number 5`],
    [{ 'a.b': [{ '': null }] }, `schema["a.b"][0][""] ${FORM} null`],
    [{ a: [5, 'a number'] }, `schema.a[0] ${FORM} number 5`],
    [{ a: [{ b: 'str' }, { c: undefined }] }, `schema.a[1].c ${FORM} undefined`],
    [{ a: ['str', { b: 'str' }] }, 'schema.a[1] must be the description of [type, description], which is a string, but is an object of Object'],
    [{ a: ['str', 'text', {}] }, 'schema.a[2] must be the ensure flag of [type, description, ensure], but is an object of Object'],
    [{ a: ['str', 'text', true, 1] }, 'schema.a must be [type, description] or [type, description, ensure], but is an array of 4'],
    [{ allOf: [{ type: 'array' }, { type: 'object' }] }, 'schema must describe a value, but describes nothing'],
    [ring, 'schema is more than 512 levels deep; does it contain itself?'],
    [schemaRing, 'schema is more than 512 schemas deep; does it contain itself?'],
    [{ type: 'object', properties: { a: { type: 'strng' } } }, 'schema.properties.a.type must be object, array, string, number, integer, boolean, null or an array of these, but is string "strng"'],
    [{ type: 'object', properties: { a: 5 } }, 'schema.properties.a must be a JSON schema, which is an object, true or false, but is number 5'],
    [{ $schema: 'x', properties: [] }, 'schema.properties must be an object of JSON schemas, but is an array of 0'],
    [{ type: 'object', properties: { a: { anyOf: {} } } }, 'schema.properties.a.anyOf must be an array of JSON schemas, but is an object of Object'],
    [{ a: { type: 'array', items: { $ref: '#/$defs/b' } } }, 'schema.a.items.$ref names "#/$defs/b", which is not in the schema'],
    [{ type: 'object', properties: { a: { $ref: 'https://example.com/a' } } }, 'schema.properties.a.$ref must name a part of the same schema, such as "#/$defs/item", but is string "https://example.com/a"'],
    [{ $ref: '#/$defs/a', $defs: { a: { type: 'object', properties: { b: { type: 7 } } } } }, 'schema.$defs.a.properties.b.type must be object, array, string, number, integer, boolean, null or an array of these, but is number 7'],
    [{ a: mini.string() }, 'schema.a is a schema that does not give its JSON schema; pass z.toJSONSchema(schema), or with Zod 3 zodToJsonSchema(schema) of zod-to-json-schema'],
    [standard('valibot', {}), 'schema is a schema that does not give its JSON schema; pass toJsonSchema(schema) of @valibot/to-json-schema'],
    [standard('acme', {}), 'schema is a schema that does not give its JSON schema; pass the JSON schema that its library makes of it'],
    [standard('acme', { jsonSchema: { input: () => 'text' } }), 'schema must be a schema that has a JSON schema, but its library (acme) could not make one: its library (acme) gave string "text"'],
  ]
  for (const [schema, message] of WRONG) {
    test(message, () => refused(schema, { name: 'TypeError', message }))
  }

  test('with the error of the library as its cause', () => {
    const cause = new Error('no such thing in JSON')
    const throws = () => {
      throw cause
    }
    refused(standard('acme', { jsonSchema: { input: throws } }), { name: 'TypeError', message: 'schema must be a schema that has a JSON schema, but its library (acme) could not make one: no such thing in JSON', cause })
  })
})

describe("types' names", () => {
  const words = (schema, message) => {
    for (const make of [() => parseFields('', schema), () => new FieldStream(schema), () => parsePartial('{}', { schema })]) assert.throws(make, { name: 'TypeError', message })
  }

  test('a word that means nothing is refused, with its path and what it may be', () => {
    words({ title: 'sting' }, 'schema.title must be a type\'s name, but is string "sting": is it "string"?')
    words({ stops: [{ hours: ['itn', 'from 1'] }] }, 'schema.stops[0].hours[0] must be a type\'s name, but is string "itn": is it "int"?')
    words('Nmuber', 'schema must be a type\'s name, but is string "Nmuber": is it "number"?')
    words({ 'a.b': 'uuid' }, 'schema["a.b"] must be a type\'s name, but is string "uuid": use object, array, string, number, boolean, null or any; a JSON schema says more')
  })

  test('any is one, in any case', async () => {
    assert.deepEqual(await parseFields('{"a": [1]}', { a: 'Any', b: 'STR' }).result(), { a: [1] })
  })

  test('the class that replaces Agently\'s takes any word', () => {
    assert.deepEqual(read(['{"a": 1}'], { a: 'sting' }).data, { a: 1 })
  })
})

describe('patterns', () => {
  const DATA = { user: { name: 'A', 'first.name': 'B', '': 'C', '*': 'D' }, items: [{ id: 1, tags: ['x', 'y'] }, { id: 2, tags: [] }], 'a/b~c': [[0], [1]], 0: 'zero' }
  const TEXT = JSON.stringify(DATA)

  /** The paths whose `done` a pattern chooses. */
  async function chosen(pattern, { source = [TEXT], ...options } = {}) {
    const paths = []
    const fields = parseFields(source, undefined, options)
    assert.equal(fields.on(pattern, ({ eventType, path }) => eventType === 'done' && paths.push(path)), fields)
    await fields.result()
    return paths
  }

  const CHOICES = {
    'user': ['user'],
    'user.name': ['user.name'],
    'user["name"]': ['user.name'],
    'user["first.name"]': ['user["first.name"]'],
    '["user"]["first\\u002ename"]': ['user["first.name"]'],
    'user[""]': ['user[""]'],
    'user["*"]': ['user["*"]'],
    'user.*': ['user.name', 'user["first.name"]', 'user[""]', 'user["*"]'],
    'user.first.name': [],
    'items': ['items'],
    'items[1].id': ['items[1].id'],
    'items[*].id': ['items[0].id', 'items[1].id'],
    'items[].id': ['items[0].id', 'items[1].id'],
    'items.*.id': ['items[0].id', 'items[1].id'],
    'items[*].*': ['items[0].id', 'items[0].tags', 'items[1].id', 'items[1].tags'],
    'items[*].tags[*]': ['items[0].tags[0]', 'items[0].tags[1]'],
    'items[*]': ['items[0]', 'items[1]'],
    'items[2]': [],
    'items.0': [],
    'user[*]': [],
    'a/b~c[1][0]': ['a/b~c[1][0]'],
    'a/b~c[*][*]': ['a/b~c[0][0]', 'a/b~c[1][0]'],
    '0': ['0'],
    '[0]': [],
    '*': ['0', 'user', 'items', 'a/b~c'],
    '/user/name': ['user.name'],
    '/user/first.name': ['user["first.name"]'],
    '/user/': ['user[""]'],
    '/user/*': ['user.name', 'user["first.name"]', 'user[""]', 'user["*"]'],
    '/items/1/id': ['items[1].id'],
    '/items/[1]/id': ['items[1].id'],
    '/items/[*]/id': ['items[0].id', 'items[1].id'],
    '/items/[]/id': ['items[0].id', 'items[1].id'],
    '/items/*/id': ['items[0].id', 'items[1].id'],
    '/user/[*]': [],
    '/a~1b~0c/1/0': ['a/b~c[1][0]'],
    '/0': ['0'],
    '/': [],
  }
  for (const [pattern, paths] of Object.entries(CHOICES)) {
    test(`${pattern} chooses ${paths.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual(await chosen(pattern), paths)
      assert.deepEqual(await chosen(pattern, { source: [...TEXT] }), paths)
    })
  }

  test('of a root array', async () => {
    const source = ['[{"x": 1}, [2]]']
    assert.deepEqual(await chosen('[*]', { source }), ['[0]', '[1]'])
    assert.deepEqual(await chosen('[0].x', { source }), ['[0].x'])
    assert.deepEqual(await chosen('/[*]/0', { source }), ['[1][0]'])
    assert.deepEqual(await chosen('*.*', { source }), ['[0].x', '[1][0]'])
  })

  test('in the other style choose the same', async () => {
    assert.deepEqual(await chosen('items[*].id', { pathStyle: 'slash' }), ['/items/0/id', '/items/1/id'])
    assert.deepEqual(await chosen('user["first.name"]', { pathStyle: 'slash' }), ['/user/first.name'])
    assert.deepEqual(await chosen('/a~1b~0c/*', { pathStyle: 'slash' }), ['/a~1b~0c/0', '/a~1b~0c/1'])
  })

  // Keys that look like something else; those of the root can't begin with `/` in dot style.
  const KEYS = ['a', '', 'a.b', '[0]', '[*]', '*', '"', '\\', 'x/y', '~', '~1', '0', ' ', ']', 'é😀', '\ud800', '\n', '__proto__']
  for (const pathStyle of ['dot', 'slash']) {
    test(`each path in ${pathStyle} style, and each wildcard path, is a pattern that chooses its event`, async () => {
      const source = [`{${KEYS.map((key) => `${JSON.stringify(key)}: [{${KEYS.map((inner) => `${JSON.stringify(inner)}: 1`).join()}}]`).join()}}`]
      const { events } = read(source, undefined, { pathStyle })
      const done = events.filter(({ eventType }) => eventType === 'done')
      assert.equal(done.length, KEYS.length * (KEYS.length + 2))
      const fields = parseFields(source, undefined, { pathStyle })
      const hits = new Set()
      for (const pattern of new Set(done.flatMap(({ path, wildcardPath }) => [path, wildcardPath]))) {
        fields.on(pattern, ({ path, wildcardPath }) => {
          if (pattern === path || pattern === wildcardPath) hits.add(`${pattern} at ${path}`)
        })
      }
      await fields.result()
      for (const { path, wildcardPath } of done) for (const pattern of [path, wildcardPath]) assert.ok(hits.has(`${pattern} at ${path}`), `${pattern} at ${path}`)
    })
  }

  const NAMED = 'a path such as items[*].name or /items/[*]/name, but'
  const WRONG = [
    ['', "got '': the root has no events of its own"],
    ['a..b', `${NAMED} "a..b" has no key (an empty one is written [""]) at 2`],
    ['a.', `${NAMED} "a." has no key (an empty one is written [""]) at 2`],
    ['.a', `${NAMED} ".a" has no key (an empty one is written [""]) at 0`],
    ['a.[0]', `${NAMED} "a.[0]" has no key (an empty one is written [""]) at 2`],
    ['a[0]b', `${NAMED} "a[0]b" has text where a "." or "[" must follow at 4`],
    ['a[', `${NAMED} "a[" has a "[" without its "]" at 1`],
    ['a]', `${NAMED} "a]" has a "]" that closes nothing (a key that holds one is written ["a]"]) at 1`],
    ['a[-1]', `${NAMED} "a[-1]" has "-1" in brackets, where *, an index from 0 or a key in double quotes must be, at 2`],
    ['a[01]', `${NAMED} "a[01]" has "01" in brackets, where *, an index from 0 or a key in double quotes must be, at 2`],
    ["['a']", `${NAMED} "['a']" has "'a'" in brackets, where *, an index from 0 or a key in double quotes must be, at 1`],
    ['["a', `${NAMED} "[\\"a" has a quoted key without its closing quote at 1`],
    ['["a".b', `${NAMED} "[\\"a\\".b" has a quoted key without a "]" after it at 4`],
    ['["\\q"]', `${NAMED} "[\\"\\\\q\\"]" has a quoted key that is not a JSON string at 1`],
    ['/a/~2', `${NAMED} "/a/~2" has a "~" that is not part of ~0 (a "~") or ~1 (a "/") at 3`],
  ]
  for (const [pattern, message] of WRONG) {
    test(`${JSON.stringify(pattern)} is invalid`, () => {
      assert.throws(() => parseFields(['{}']).on(pattern, () => {}), (error) => error instanceof TypeError && error.message.endsWith(message))
    })
  }

  test('and so is anything but a string', () => {
    for (const [value, word] of [[undefined, 'undefined'], [5, 'number 5'], [['a'], 'an array of 1'], [/a/, 'an object of RegExp']]) {
      assert.throws(() => parseFields(['{}']).on(value, () => {}), (error) => error instanceof TypeError && error.message.endsWith(`takes a string, but got ${word}`))
    }
  })
})
