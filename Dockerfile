# XHProf's extension in an image of Docker's official PHP: docker build --build-arg PHP=8.4-fpm -t php-xhprof .
ARG PHP=8.4-fpm
FROM php:${PHP}

COPY . /usr/src/xhprof
RUN apt-get update \
 && apt-get install -y --no-install-recommends $PHPIZE_DEPS uuid-dev \
 && cd /usr/src/xhprof/extension && phpize && ./configure && make -j"$(nproc)" && make install \
 && docker-php-ext-enable xhprof \
 && php --ri xhprof >/dev/null \
 && apt-get purge -y --auto-remove $PHPIZE_DEPS uuid-dev && rm -rf /usr/src/xhprof /var/lib/apt/lists/*
RUN install -d -o www-data -g www-data -m 0750 /var/lib/xhprof \
 && echo 'xhprof.output_dir=/var/lib/xhprof' >"$PHP_INI_DIR/conf.d/xhprof-settings.ini"
VOLUME /var/lib/xhprof
