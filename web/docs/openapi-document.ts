/** The part of JSON Schema that the description uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly default?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

/** The part of OpenAPI 3.1 that the description uses. */
export interface OpenApiDocument {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface ResponseInfo {
  readonly status: string;
  readonly description: string;
  readonly mediaTypes: readonly string[];
  /** Schema of a JSON body, with resolved references. */
  readonly schema: Schema | undefined;
}

/** Form parts of one name, each with a file. */
export interface FilePart {
  readonly name: string;
  readonly maxFiles: number;
}

/** One operation of the API. */
export interface Operation extends Pick<OperationObject, 'summary' | 'description' | 'parameters'> {
  readonly id: string;
  readonly tag: string;
  readonly method: string;
  /** Path with `{name}` for each parameter. */
  readonly path: string;
  /** The form part that contains a file; undefined if the request has none. */
  readonly filePart: FilePart | undefined;
  /** Whether the request has a JSON body. */
  readonly takesJson: boolean;
  readonly responses: readonly ResponseInfo[];
}

const REFERENCE = '#/components/schemas/';

const resolve = (schema: Schema | undefined, { components }: OpenApiDocument): Schema | undefined =>
  schema?.$ref?.startsWith(REFERENCE) ? components.schemas[schema.$ref.slice(REFERENCE.length)] : schema;

const responsesOf = (operation: OperationObject, document: OpenApiDocument): ResponseInfo[] =>
  Object.entries(operation.responses).map(([status, { description, content = {} }]) => ({
    status,
    description,
    mediaTypes: Object.keys(content),
    schema: resolve(content['application/json']?.schema, document),
  }));

const filePartOf = ({ requestBody }: OperationObject): FilePart | undefined => {
  const parts = Object.entries(requestBody?.content['multipart/form-data']?.schema?.properties ?? {});
  return parts.map(([name, { maxItems = 1 }]) => ({ name, maxFiles: maxItems }))[0];
};

/** All operations as a flat list, in the order of the description. */
export const operationsOf = (document: OpenApiDocument): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      ...{ id: operation.operationId, tag: operation.tags[0] ?? '', method: method.toUpperCase(), path },
      filePart: filePartOf(operation),
      takesJson: operation.requestBody?.content['application/json'] !== undefined,
      responses: responsesOf(operation, document),
    })),
  );

const BOUNDS = [
  ['minimum', '≥'],
  ['exclusiveMinimum', '>'],
  ['maximum', '≤'],
  ['exclusiveMaximum', '<'],
] as const;

/** `≥ 0, ≤ 1`; empty if all values are valid. */
export const rangeOf = (schema: Schema): string =>
  BOUNDS.flatMap(([key, sign]) => (schema[key] === undefined ? [] : [`${sign} ${schema[key]}`])).join(', ');

const itemsType = ({ items, minItems, maxItems }: Schema): string => {
  if (!items) return 'array';
  const isTuple = maxItems !== undefined && minItems === maxItems;
  return isTuple ? `[${Array(maxItems).fill(typeOf(items)).join(', ')}]` : `array of ${typeOf(items)}`;
};

/** Short description of a type: `integer`, `text or null`, `array of object`. */
export const typeOf = (schema: Schema): string => {
  if (schema.enum) return schema.enum.join(' | ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') return itemsType(schema);
  if (schema.type === 'string') return schema.format ?? 'text';
  return schema.type ?? 'any';
};

/** One field in the description of a body. */
interface Field {
  /** `detections[].bbox` */
  readonly path: string;
  readonly type: string;
  readonly description: string;
}

const fieldsOfProperty = (path: string, schema: Schema): Field[] => [
  { path, type: typeOf(schema), description: schema.description ?? '' },
  ...fieldsOf(schema, path),
];

/** All fields of a body, including nested objects and arrays of objects. */
export const fieldsOf = (schema: Schema, prefix = ''): Field[] => {
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([name, property]) =>
      fieldsOfProperty(prefix === '' ? name : `${prefix}.${name}`, property),
    );
  }
  if (schema.anyOf) return schema.anyOf.flatMap((option) => fieldsOf(option, prefix));
  return schema.items ? fieldsOf(schema.items, `${prefix}[]`) : [];
};
