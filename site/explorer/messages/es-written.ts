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
    medianOf: level => `mediana de ${level}`,
    withdrawn: 'Retirados',
    totals: (datasets, rows, checks) =>
      `${datasets}, ${rows}. Antes de la publicación se ${checks === '1' ? 'hizo' : 'hicieron'} ${checks} ${checks === '1' ? 'control' : 'controles'} de calidad.`,
  },
  dataset: {
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
    notPublished: 'sin publicar',
    allYears: 'Todos los años en un archivo',
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
    lead: (since, date, isFirst) =>
      `Qué cambiaron las publicaciones desde el ${since}${isFirst ? ', cuando este conjunto de datos se publicó por primera vez' : ''}. Para programas: {list}; para seguirlo: {feed}. La API responde a \`as_of=${date}\` con las filas de ese día.`,
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
    on: date => `Retirado el ${date}.`,
    gone: 'Este sitio ya no publica sus filas.',
    why: 'Por qué',
    instead: 'Qué usar en su lugar',
    stays: 'Qué se conserva',
    contract:
      'El contrato de datos todavía describe las filas: qué era una fila, sus columnas y sus limitaciones.',
    notice: 'Aviso de retirada, para programas (JSON)',
    noReplacement: 'Aquí ningún conjunto de datos lo sustituye.',
  },
  placesPage: {
    lead: 'Busque un lugar y vea qué dice de él cada conjunto de datos a lo largo de los años.',
    none: 'Aquí ningún conjunto de datos trata de lugares.',
    countIn: (places, datasets) => `${places}, en ${datasets}`,
    list: 'Lista (CSV)',
    withoutScript:
      'Esta página necesita JavaScript para reunir las cifras. Sin él, descargue los archivos desde la página de cada conjunto de datos.',
  },
  api: {
    described: service =>
      `Todas las rutas y parámetros de la API de ${service}, con una petición de cada ruta.`,
    lead: 'Los programas piden datos por su dirección. También se puede abrir en un navegador cada dirección de esta página.',
    version: (version, routes) =>
      `Versión ${version}, ${routes}. Para programas: {openapi} (OpenAPI 3.1), {files}.`,
    howItWorks: 'Cómo funciona',
    steps: () => [
      'Elija abajo un conjunto de datos. Su primera ruta devuelve filas: `year` y `detail` eligen el año y el nivel, y los demás parámetros filtran las filas.',
      'Los valores separados por comas coinciden con cualquiera de ellos. Una fila debe cumplir todos los parámetros. Ningún valor coincide con una fila cuya columna es NULL: para obtener también esas filas, hay que omitir el parámetro.',
      `\`format\` es \`json\`, \`csv\` o \`parquet\`. Una respuesta en JSON tiene como máximo ${formatCount(10_000)} filas, y su \`next\` es la dirección de las filas siguientes.`,
      'NULL nunca es cero: cada columna dice qué significa su NULL. Los códigos son texto: conserve los ceros iniciales.',
    ],
    errors: 'Errores',
    noParameters: 'Esta ruta no tiene parámetros.',
    example: 'Ejemplo: {request}',
    parametersOf: path => `Parámetros de ${path}`,
    parameter: 'Parámetro',
    effect: 'Qué hace',
    required: 'obligatorio',
    oneOf: 'uno de {values}',
    several: what => `${what}, o varios`,
    default: 'por defecto {value}',
    requestOf: path => `Petición de ${path}`,
    open: 'Abrir la dirección',
  },
  sqlPage: {
    described: service =>
      `SQL sobre todos los conjuntos de datos de ${service}, calculado en su propio navegador.`,
    lead: size =>
      `Haga cualquier pregunta a los datos publicados. Su navegador calcula la respuesta: descarga las tablas que la pregunta nombra, cada una una sola vez, y no envía nada. La primera consulta carga también la base de datos, ${size}; el navegador la conserva.`,
    withoutScript:
      'La consola necesita JavaScript. Sin él, cargue {file} en su propio DuckDB para consultar las mismas tablas.',
    tables: 'Tablas',
    advice:
      'Escriba SQL de {duckdb}. Cada conjunto de datos es una tabla; su columna `detail` nombra el nivel de una fila. Una tabla demasiado grande para un navegador se puede consultar en su propio DuckDB con {file}. Muchas filas son totales de otras filas, así que sume solo filas que no se solapen.',
    dimensions: 'Dimensiones',
    columnOf: dimension => `de ${dimension}`,
    meaning: 'Qué significan sus columnas y sus NULL',
    columnsOf: table => `Columnas de ${table}`,
    type: 'Tipo',
    ask: 'Preguntar esto',
    askExample: description => `Preguntar esto: ${description}`,
  },
  checkPage: {
    described:
      'Comprobar que los archivos son los que se publicaron y que ninguna publicación se reescribió.',
    lead: 'Cada archivo tiene aquí un hash publicado, y cada hash está en una lista que tiene su propio hash. Por eso una cifra cambiada se nota.',
    here: 'En este navegador',
    withoutScript: 'Esta parte necesita JavaScript. La siguiente, no.',
    elsewhere: 'En su propia computadora',
    mirror:
      'Copie los archivos, como hace {file}, y compare sus hashes. Todos los sistemas tienen un programa para eso:',
    hashes: 'Comprobar los hashes',
    program:
      'El programa que hizo este sitio comprueba más: que todos los formatos de una tabla tienen las mismas filas, que el registro está firmado y, frente a otra copia, que ninguna publicación se reescribió.',
    tree: 'Comprobar una copia completa',
    limits: 'Qué no demuestra esto',
    limitsOf: [
      'Que las cifras sean ciertas. Demuestra que son las publicadas.',
      'Que esta página sea honesta: viene del mismo servidor que las cifras. Quien puede cambiar las cifras puede cambiar la página. Una copia en su propia computadora y una clave de otro lugar no dependen de él.',
      'Que otras personas vean el mismo registro que usted. Compárelo con un testigo o con una copia anterior.',
    ],
    datasets: 'Conjuntos de datos',
  },
};
