const NAME_SPACES = {
  dc: 'http://purl.org/dc/elements/1.1/',
  exif: 'http://ns.adobe.com/exif/1.0/',
  GPano: 'http://ns.google.com/photos/1.0/panorama/',
  'mwg-rs': 'http://www.metadataworkinggroup.com/schemas/regions/',
  photoshop: 'http://ns.adobe.com/photoshop/1.0/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  xmpMM: 'http://ns.adobe.com/xap/1.0/mm/',
};
const DECLARATIONS = Object.entries(NAME_SPACES).map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`);

/** A packet of XMP that describes an image by attributes and elements. */
export const xmpPacket = (attributes: string, elements = ''): string =>
  [
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    `<rdf:Description rdf:about="" ${DECLARATIONS.join(' ')} ${attributes}>${elements}</rdf:Description>`,
    '</rdf:RDF></x:xmpmeta>',
  ].join('');
