/** The Spanish texts that only the build writes. */
import type { Written } from './en-written.ts';
import { formatCount } from './numbers.ts';

export const written: Written = {
  layout: {
    skip: 'Ir al contenido',
    main: 'Principal',
    data: 'Datos',
    places: 'Lugares',
    sql: 'SQL',
    api: 'API',
    site: 'Sitio',
    searchLabel: 'Buscar datos y lugares',
    search: 'Buscar',
    releases: 'Publicaciones',
    releaseOf: (release, date) => `${release}, del ${date}`,
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
    breadcrumb: 'Ruta de navegación',
    extract: (only, release) =>
      `Extracto: de los conjuntos de datos de este servicio, aquí solo están ${only.split(',').join(', ')}.${
        release === undefined ? '' : ` La publicación ${release} los tiene todos.`
      }`,
  },
  singular: plural =>
    plural.replace(/\p{L}+/gu, word =>
      word
        .replace(/ones$/, 'ón')
        .replace(/([^aeiouáéíóú])es$/, '$1')
        .replace(/(?<!i)([aeiouáéíóú])s$/, '$1'),
    ),
  kindIn: (title, area) => {
    const ending = [` de ${area}`, ` en ${area}`].find(one => title.endsWith(one));
    if (ending !== undefined) return title.slice(0, -ending.length);
    // A publisher's titles may still be in English.
    return title.startsWith(`${area} `) ? title.slice(area.length + 1) : null;
  },
  front: {
    datasetsOf: service => `Conjuntos de datos de ${service}.`,
    medianOf: level => `mediana de ${level}`,
    withdrawn: 'Retirados',
    withdrawnOn: (date, reason) => `Retirado el ${date}: ${reason}`,
    totals: (datasets, rows, checks) =>
      `${datasets}, ${rows}. Antes de la publicación se ${checks === '1' ? 'hizo' : 'hicieron'} ${checks} ${checks === '1' ? 'control' : 'controles'} de calidad.`,
  },
  dataset: {
    described: (title, years, levels) =>
      `${title}${years === null ? '' : `: ${years}`}, por nivel: ${levels}.`,
    onlyFiles: 'Este conjunto de datos no tiene cifras que dibujar: los archivos de abajo tienen las filas.',
    about: 'Qué dicen estos datos',
    noDescription: 'El contrato de datos no da ninguna descripción.',
    rowMeaning: 'Qué es una fila',
    usage: 'Cómo usarlos',
    limitations: 'Tenga en cuenta',
    noLimitations: 'El contrato de datos no indica limitaciones.',
    corrections: 'Correcciones',
    coverage: 'Años y niveles',
    columns: count => `Columnas (${count})`,
    downloads: 'Descargas',
    changes: 'Qué cambió y cuándo',
    code: 'Para programas: API, SQL, R, Python',
    provenance: 'Fuente y licencia',
    nullWithheld: 'NULL indica una cifra que la fuente no publicó: un campo vacío en CSV, null en JSON.',
    nullMissing: 'NULL indica que falta la cifra: un campo vacío en CSV, null en JSON.',
    zeroIsReal: 'Un cero es un cero de verdad.',
    zeroIsUnsure: 'Un cero también puede indicar una cifra desconocida.',
    unknownAddress: address =>
      `En este código, \`${address}\` representa la dirección de este sitio. Sustitúyala por la dirección que muestra su navegador. Con JavaScript activado, la página lo hace por usted.`,
    codeFor: name => `Código para ${name}`,
  },
  columns: {
    meaning: 'Qué significa',
    unitAndType: 'Unidad y tipo',
    nullMeans: 'Qué significa NULL',
    headline: 'principal',
    joined: 'Las filas tienen además estas columnas de las tablas de lugares y grupos: {columns}.',
    year: 'año',
    time: 'tiempo',
    metric: 'cifra',
    categorical: 'categoría',
    codeOf: dimension => `código de ${dimension}`,
    between: (least, most) => `de ${least} a ${most}`,
    atLeast: least => `como mínimo ${least}`,
    atMost: most => `como máximo ${most}`,
    neverNull: 'nunca NULL',
    unknownNull: 'no se sabe',
    valuesInData: count => `${count} ${count === '1' ? 'valor' : 'valores'} en los datos.`,
    allowed: 'Valores permitidos:',
    countAllowed: count => `${count} ${count === '1' ? 'valor permitido' : 'valores permitidos'}`,
    isTotal: '(el total de todos los demás valores)',
  },
  files: {
    rowsByLevel: 'Filas por nivel',
    rowsByYear: 'Filas por año y nivel',
    notPublished: 'sin publicar',
    allYears: 'Todos los años en un archivo',
    allYearsOf: 'Todos los años de un nivel',
    allRows: 'Todas las filas',
    byYear: 'Año por año',
    advice: () =>
      `El CSV se abre en una hoja de cálculo: importe las columnas de códigos como texto, o perderán los ceros iniciales. El JSON llega en páginas de ${formatCount(10_000)} filas como máximo. El Parquet es el más pequeño y conserva el tipo de cada columna.`,
    filesOf: level => `Archivos de ${level}`,
    page: (format, page) => `${format}, página ${page}`,
    file: 'Archivo',
    size: 'Tamaño',
  },
  quality: {
    summary: (rules, passed, warned, skipped) =>
      `Estas filas se comprueban con ${rules}. En esta publicación, superadas: ${passed}; con advertencia: ${warned}; sin ejecutar: ${skipped}. Una regla que falla detiene la publicación.`,
    remarkable: 'Advertencias y reglas sin ejecutar',
    all: rules => `Lista completa: ${rules}`,
    allRules: 'Todas las reglas',
    result: 'Resultado',
    rule: 'Regla',
    found: 'Hallado',
    about: 'Asunto',
    passed: 'superada',
    warned: 'advertencia',
    skipped: 'sin ejecutar',
    derived: 'derivada de las columnas',
  },
  errata: {
    lead: 'Errores de publicaciones anteriores, del más reciente al más antiguo. Los archivos actuales están corregidos. Para programas: {file}.',
    wrong: 'Qué estaba mal',
    corrected: 'Qué se hizo',
    levels: 'Niveles',
    releases: 'Publicaciones con el error',
  },
  changes: {
    words: {
      none: 'Ninguna fila cambió.',
      revised: rows => `${rows} ${rows === 1 ? 'fila revisada' : 'filas revisadas'}`,
      added: rows => `${rows} ${rows === 1 ? 'fila añadida' : 'filas añadidas'}`,
      removed: rows => `${rows} ${rows === 1 ? 'fila eliminada' : 'filas eliminadas'}`,
      kinds: {
        revised: 'Con revisiones',
        added: 'Nuevo',
        removed: 'Retirado',
        replaced: 'Publicado de nuevo con otro detalle',
        forgotten: 'Eliminado, para que nadie reciba las filas anteriores',
      },
      renamed: (old, now) => `La columna ${old} se llama ${now} desde entonces.`,
      dropped: columns => `Columnas eliminadas o que cambiaron de tipo: ${columns}.`,
      to: ' a ',
    },
    lead: (since, date) =>
      `Qué cambiaron las publicaciones desde el ${since}, cuando este conjunto de datos se publicó por primera vez. Para programas: {list}; para seguirlo: {feed}. La API responde a \`as_of=${date}\` con las filas de ese día.`,
    leadBroken: (since, date) =>
      `Qué cambiaron las publicaciones desde el ${since}. Para programas: {list}; para seguirlo: {feed}. La API responde a \`as_of=${date}\` con las filas de ese día.`,
    none: 'Ninguna publicación ha cambiado nada todavía.',
    earlier: count => `Cambios anteriores en changes.json: ${count}.`,
    forgotten: (date, reason) => `El ${date} se eliminaron filas de publicaciones anteriores: ${reason}`,
    why: (wrong, corrected) => `Motivo: ${wrong} ${corrected}`,
    rowsOf: date => `Filas que cambió la publicación del ${date}`,
    added: 'añadida',
    removed: 'eliminada',
    firstRows: 'Estas son las primeras filas.',
  },
  source: {
    contractYaml: 'Contrato de datos (YAML)',
    contractJson: 'Contrato de datos (JSON)',
    schema: 'Esquema',
    manifest: 'Manifiesto',
    croissant: 'Croissant',
    madeBy: 'Autoría',
    publishedBy: 'Publicado por',
    updated: 'Actualización',
    updatedOn: (frequency, date) => `${frequency}; último cambio: ${date}`,
    tags: 'Etiquetas',
    versionOf: (version, release) => `${version}, publicación ${release}`,
    hash: 'Hash del esquema',
    documents: 'Documentos',
    notStated: 'no se indica',
  },
  citation: {
    name: 'Cita',
    nameBibtex: 'Cita en BibTeX',
    text: (author, year, title, version, release, service) =>
      `${author} (${year}). ${title} (versión ${version}, publicación ${release}) [Conjunto de datos]. ${service}.`,
    note: release => `Conjunto de datos, publicación ${release}.`,
  },
  snippets: {
    allRows: 'todas las filas',
    curl: what => `Descarga ${what} en CSV y comprueba que el archivo llegó sin cambios.`,
    wget: 'Descarga todos los archivos CSV del conjunto de datos, cada uno en la carpeta de su año.',
    duckdb: what =>
      `Lee ${what} del archivo Parquet de la carpeta actual. La primera línea lo descarga. Con la extensión httpfs de DuckDB se puede escribir la dirección en lugar del nombre del archivo.`,
    pandas:
      'El código nombra las columnas de texto; si no, pandas leería el código 007 como el número 7. Solo un campo vacío es un valor que falta.',
    polars: 'El código nombra las columnas de texto, para que los códigos conserven los ceros iniciales.',
    r: 'R base, sin paquetes. El código nombra las columnas de texto, para que los códigos conserven los ceros iniciales.',
    javascript: (rows, what) =>
      `Obtiene ${rows} de ${what}, página por página. Funciona en Node 18, Deno, Bun o la consola del navegador en este sitio.`,
  },
  withdrawn: {
    title: title => `${title} (retirado)`,
    described: (title, date, reason) => `${title} se retiró el ${date}. ${reason}`,
    on: date => `Retirado el ${date}.`,
    gone: 'Este sitio ya no publica sus filas.',
    why: 'Por qué',
    instead: 'Qué usar en su lugar',
    stays: 'Qué se conserva',
    contract:
      'El contrato de datos todavía describe las filas: qué era una fila, sus columnas y sus limitaciones.',
    asJson: 'en JSON',
    notice: '{link}, para programas, en JSON',
    withdrawal: 'Aviso de retirada',
    eachRelease: 'Qué cambió cada publicación',
    noReplacement: 'Aquí ningún conjunto de datos lo sustituye.',
  },
  placesPage: {
    described: service => `Buscar un lugar y ver qué dice de él cada conjunto de datos de ${service}.`,
    lead: 'Busque un lugar y vea qué dice de él cada conjunto de datos a lo largo de los años.',
    none: 'Aquí ningún conjunto de datos trata de lugares.',
    countIn: (places, datasets) => `${places}, en ${datasets}`,
    list: 'Lista (CSV)',
    withoutScript:
      'Esta página necesita JavaScript para reunir las cifras. Sin él, descargue los archivos desde la página de cada conjunto de datos.',
  },
};
