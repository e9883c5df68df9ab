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
  readonly required?: readonly string[];
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
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
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
export interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly method: string;
  /** Path with `{name}` for each parameter. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
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
      id: operation.operationId,
      tag: operation.tags[0] ?? '',
      method: method.toUpperCase(),
      path,
      summary: operation.summary,
      description: operation.description,
      parameters: operation.parameters,
      filePart: filePartOf(operation),
      takesJson: operation.requestBody?.content['application/json'] !== undefined,
      responses: responsesOf(operation, document),
    })),
  );
