/** The interface in Spanish. */
import type { Messages } from './en.ts';

export const es: Messages = {
  language: 'Español',
  frame: {
    skip: 'Ir al contenido',
    main: 'Principal',
    data: 'Datos',
    places: 'Lugares',
    sql: 'SQL',
    api: 'API',
    site: 'Sitio',
    searchLabel: 'Buscar datos y lugares',
    searchPlaceholder: 'Datos y lugares',
    search: 'Buscar',
    releases: 'Publicaciones',
    sample: 'Datos sintéticos de muestra: ninguna cifra describe un lugar real.',
    release: 'Publicación',
    releaseOf: (release, date) => `${release}, del ${date}`,
    licence: 'Licencia',
    attribution: 'Atribución',
    contact: 'Contacto',
    documentation: 'Documentación',
    howToCheck: 'Cómo comprobar estas cifras',
    checksums: 'Sumas de comprobación de todos los archivos',
    allFiles: 'Lista de todos los archivos',
    dataPackage: 'Paquete de datos',
    openapi: 'OpenAPI',
    howToCite: 'Cómo citar',
    whatChanged: 'Qué cambió',
    filesHere: 'Archivos de esta carpeta',
  },
};
